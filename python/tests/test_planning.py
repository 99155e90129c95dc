"""Planning, checking, solvers of others, limits, progress, Ctrl-C."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Problem


def endless(models):
    problem = Problem.read(models / "sysadmin_10.toml")
    problem.horizon = 40
    return problem


def test_every_engine_finds_the_optimum(corridor):
    for engine in ("auto", "search", "neuron", "maxsat"):
        assert engine in bnnplan.engines()
        result = corridor.plan(engine=engine)
        assert (result.status, result.cost, result.lower_bound, result.horizon) == ("optimal", 5, 5, 7)
        assert result and corridor.check(result) and corridor.check(result).cost == 5
        assert result.bounds[-1].lower == 5 and result.bounds[-1].upper == 5


def test_the_plan_as_arrays_dicts_and_json(corridor, tmp_path):
    result = corridor.plan()
    plan = result.plan
    assert len(plan) == 7
    assert plan.actions["right"].dtype == bool and plan.actions["right"].shape == (7,)
    assert plan.states["battery"].tolist()[0] == 6 and plan.states["battery"].shape == (8,)
    assert plan.action_bits.shape == (7, 2) and plan.state_bits.shape == (8, 9)
    assert plan.auxiliary == {}
    assert plan.steps[-1]["state"]["cell-5"] is True or plan.steps[-1]["state"]["cell-5"] == 1
    assert len(list(plan)) == 7 and plan[-1] == list(plan)[-1]
    assert result.to_dict()["cost"] == 5 and json.loads(plan.to_json())["steps"]
    result.write(tmp_path / "plan.json")
    plan.write(tmp_path / "plan2.json")
    for again in (plan, result, plan.to_dict(), tmp_path / "plan.json", str(tmp_path / "plan2.json"), list(plan)):
        assert corridor.check(again).cost == 5
    assert "optimal plan of 7 steps, cost 5, proved" in str(result)
    assert repr(result).startswith("<PlanResult optimal, horizon 7, cost 5, engine ")
    assert repr(plan).startswith("<Plan of 7 steps: ")


def test_pandas(corridor):
    pytest.importorskip("pandas", reason="skipped: pandas is not installed")
    frame = corridor.plan().to_pandas()
    assert frame.shape == (8, 9) and frame.index.name == "step"
    assert frame["battery"].iloc[0] == 6 and frame["left"].iloc[0] is None
    assert corridor.compare(["search", "neuron"]).to_pandas().loc["search", "cost"] == 5


def test_infeasible_and_first(corridor):
    result = corridor.plan(horizon=3)
    assert result.status == "infeasible" and not result and result.plan is None and result.cost is None
    with pytest.raises(ValueError, match="infeasible"):
        result.actions
    assert corridor.plan(first=True).status in ("plan", "optimal")
    assert corridor.plan(engine="").status == "optimal"  # the default, given


def test_decimal_costs_are_exact():
    problem = Problem("cents", horizon=3)
    x, a = problem.state("x", initial=0), problem.action("a")
    problem.add(x.next == a)
    problem.add(a == 1)
    problem.maximize(0.1 * a)
    result = problem.plan()
    assert result.reward == Decimal("0.3") and result.cost == Decimal("-0.3")
    problem.maximize(2 * a)
    assert problem.plan().reward == 6 and isinstance(problem.plan().reward, int)
    assert "reward 6" in repr(problem.plan())


def test_values_of_all_kinds_of_variables():
    problem = Problem("kinds", horizon=2)
    signed = problem.state("signed", bits=4, signed=True, initial=-5)
    large = problem.state("large", bits=3, scale=2, initial=300)
    small = problem.state("small", bits=3, scale=-2, initial=0.07)
    flag = problem.auxiliary("flag")
    for variable in (signed, large, small):
        problem.add(variable.next == variable)
    problem.add(flag == 1)
    plan = problem.plan().plan
    assert plan.states["signed"].tolist() == [-5] * 3
    assert plan.states["large"].tolist() == [300] * 3 and plan.states["large"].dtype == np.int64
    assert plan.states["small"].tolist() == [0.07] * 3
    assert plan.auxiliary["flag"].tolist() == [True] * 2


def test_checks_say_what_is_wrong(corridor):
    check = corridor.check([{"right": 1}] * 7)
    assert not check and check.step > 0 and "is violated" in check.violation and check.cost is None
    assert repr(check).startswith("<Check refused: ")
    for bad in ([{"rihgt": 1}], {"steps": 3}, {}, [{"right": 2}]):
        with pytest.raises(InputError, match="the plan"):
            corridor.check(bad)
    with pytest.raises((InputError, OSError)):
        corridor.check("missing.json")


def test_proofs(corridor, tmp_path):
    proof = tmp_path / "corridor.pbp"
    result = corridor.plan(engine="neuron", proof=proof)
    assert result.proof == proof
    checked = corridor.check_proof(proof)
    assert checked and checked.cost == 5 and not checked.infeasible
    head, count = proof.read_text().splitlines()[:2]
    proof.write_text(f"{head}\n{count}\nrup >= 1 ;\nc {int(count.split()[1]) + 1}\n")  # as if it were obvious
    assert not corridor.check_proof(proof)


def test_encode_and_decode(corridor, tmp_path):
    for name in bnnplan.formats():
        text = corridor.encode(name)
        file = tmp_path / f"corridor.{name}"
        assert corridor.encode(name, file) is None
        assert file.read_text() == text and text
    with pytest.raises(InputError, match="is 'opd', expected one of wcnf, "):
        corridor.encode("opd")
    with pytest.raises(InputError):
        corridor.encode("opb", "-")
    answer = bnnplan.maxsat(text=corridor.encode("wcnf"))
    literals = " ".join(str(v + 1 if value else -v - 1) for v, value in enumerate(answer.model))
    result = corridor.decode(f"s OPTIMUM FOUND\nv {literals} 0\n")
    assert result.cost == 5 and result.claimed_by
    file = tmp_path / "answer.txt"
    file.write_text(f"s OPTIMUM FOUND\nv {literals} 0\n")
    assert corridor.decode(file).cost == 5
    with pytest.raises(InputError, match="the answer"):
        corridor.decode("nonsense")
    assert bnnplan.maxsat(text=corridor.encode("cnf", cost_at_most=4)).status == "unsatisfiable"


def test_an_external_solver(corridor):
    if not shutil.which("clasp"):
        pytest.skip("skipped: clasp is not installed")
    result = corridor.plan(solver="clasp")
    assert result.cost == 5 and result.claimed_by == "clasp"


def test_options_that_do_not_go_together(corridor):
    for options in (
        {"engine": "serach"}, {"engine": "external"}, {"engine": "maxsat", "proof": "p"}, {"neurons": "ader"},
        {"time_limit": -1}, {"time_limit": float("nan")}, {"memory_limit": 0}, {"threads": 5000}, {"threads": 0}, {"threads": -1},
        {"horizon": 0},
        {"proof": "p", "proof_version": "9"}, {"seed": -1}, {"seed": 2**64},
    ):  # fmt: skip
        with pytest.raises(InputError):
            corridor.plan(**options)
    for options in (
        {"threads": "x"}, {"engine": 3}, {"seed": "x"}, {"horizon": 2.5}, {"progress": 3}, {"time_limit": "long"},
        {"nothing": 1},
    ):  # fmt: skip
        with pytest.raises(TypeError):
            corridor.plan(**options)


def test_shortest(corridor):
    for engine in ("search", "neuron", "maxsat"):
        found = corridor.plan(shortest=True, engine=engine)
        assert found.status == "optimal" and (found.horizon, found.excluded, found.cost, len(found.plan)) == (5, 4, 5, 5)
        assert "shortest: 5 steps; no plan of fewer (proved)" in str(found)
        assert pickle.loads(pickle.dumps(found)).excluded == 4
        problem = corridor.copy()
        problem.horizon = 5
        assert problem.check(found)
        assert corridor.plan(shortest=True, first=True, engine=engine).status == "plan"
        none = corridor.plan(4, shortest=True, engine=engine)
        assert none.status == "infeasible" and none.excluded == 4
    assert corridor.plan().excluded == 0 and corridor.horizon == 7
    for horizon, options in ((0, {}), (None, {"proof": "x"}), (None, {"solver": "clasp"}), (None, {"resume": "x"})):
        with pytest.raises(InputError):
            corridor.plan(horizon, shortest=True, **options)


def test_comparison(corridor):
    comparison = corridor.compare()
    assert len(comparison) == 3 and {row["cost"] for row in comparison.rows()} == {5}
    assert "search" in str(comparison) and comparison["neuron"].cost == 5 and list(comparison)[0] == "search"
    with pytest.raises(InputError):
        corridor.compare([])


def test_html(corridor):
    result = corridor.plan()
    for page in (result._repr_html_(), corridor.compare(["search", "neuron"])._repr_html_()):
        assert page.startswith("<iframe sandbox=") and "cell-5" in page and "<script" not in page
    assert result.plan._repr_html_().startswith("<iframe sandbox=")
    shown = corridor._repr_html_()
    assert "<table>" in shown and "<pre>" in shown and "K R" in shown and "left + right &lt;= 1" in shown
    result.write_report("page.html")
    assert open("page.html").read().startswith("<!doctype html>") or "<html" in open("page.html").read()
    assert corridor.plan(horizon=3)._repr_html_()


def test_limits_and_progress(models):
    told = []
    started = time.monotonic()
    result = endless(models).plan(time_limit=0.6, progress=told.append, threads=1)
    assert time.monotonic() - started < 20
    assert result.status in ("plan", "unknown") and result.stopped == "time limit"
    assert told and all(isinstance(p, bnnplan.Progress) for p in told)
    assert all(p.seconds >= 0 and isinstance(p.activity, str) for p in told)


def test_a_callback_that_raises_ends_the_run(models):
    class Enough(Exception):
        pass

    def stop(progress):
        raise Enough("of it")

    started = time.monotonic()
    with pytest.raises(Enough, match="of it"):
        endless(models).plan(progress=stop, time_limit=60)
    assert time.monotonic() - started < 30


def test_the_lock_is_free_while_it_plans(models):
    counted = []
    stop = threading.Event()

    def count():
        while not stop.wait(0.005):
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    endless(models).plan(time_limit=0.5, threads=1)
    stop.set()
    thread.join()
    assert len(counted) > 5


def test_many_threads_may_plan(corridor):
    costs = []

    def work():
        for _ in range(5):
            costs.append(corridor.plan(engine="search", threads=1).cost)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert costs == [5] * 20


def test_ctrl_c_ends_it_with_the_best_so_far(models):
    program = f"""
import bnnplan, os, signal, threading
problem = bnnplan.Problem.read({str(models / "sysadmin_10.toml")!r})
problem.horizon = 40
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    problem.plan()
except KeyboardInterrupt as interrupted:
    assert isinstance(interrupted, bnnplan.Interrupted)
    print("interrupted", interrupted.result.status)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.stdout.split()[0] == "interrupted" and done.stdout.split()[1] in ("plan", "unknown"), done.stderr


def test_saved_and_resumed(models, tmp_path):
    problem = endless(models)
    checkpoint = tmp_path / "saved"
    problem.plan(engine="search", time_limit=0.4, checkpoint=checkpoint, threads=1)
    assert checkpoint.exists()
    result = problem.plan(engine="search", time_limit=0.3, resume=checkpoint, threads=1)
    assert result.status in ("plan", "unknown")


PUBLISHED = (
    [("navigation_3x3", h) for h in range(4, 11)]
    + [("navigation_4x4", h) for h in range(4, 11)]
    + [("navigation_5x5", h) for h in range(4, 11)]
    + [("inventory_2", h) for h in range(5, 9)]
    + [("inventory_4", h) for h in range(5, 9)]
    + [("sysadmin_4", h) for h in range(2, 5)]
    + [("sysadmin_5", h) for h in range(2, 5)]
    + [("cellda_x", h) for h in range(8, 13)]
    + [("cellda_y", h) for h in range(8, 13)]
)


def test_the_same_optimum_for_the_45_problems(models):
    program = os.environ.get("BNNPLAN_PROGRAM")
    if not program or not os.path.exists(program):
        pytest.skip("skipped: the program bnnplan is not built (BNNPLAN_PROGRAM)")
    assert len(PUBLISHED) == 45
    for name, horizon in PUBLISHED:
        file = models / f"{name}.toml"
        result = Problem.read(file).plan(horizon)
        done = subprocess.run(
            [program, "plan", str(file), "-H", str(horizon), "--json"], capture_output=True, text=True, timeout=100
        )
        answer = json.loads(done.stdout)
        assert (result.status, result.cost) == (answer["status"], answer["cost"]), (name, horizon)
