"""Ctrl-C, callbacks and the end of the interpreter, each in a process of its own."""

import subprocess
import sys

import pytest

START = """
import bnnplan, os, signal, sys, threading, time
def press_later(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
light = bnnplan.Problem("light", horizon=3)
lit, press = light.state("lit", initial=False), light.action("press")
"""


def run(program):
    return subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True, timeout=100)


# What a callback does when Ctrl-C comes: it waits, or goes round in circles.
@pytest.mark.parametrize("busy", ["time.sleep(90)", "while True: pass"])
def test_callbacks_are_interrupted(busy, models):
    done = run(
        f"""
def world(state, action):
    press_later(0.3)
    {busy}
light.add_goal(lit == 1)
try:
    bnnplan.discover(world, light, progress=False)
except KeyboardInterrupt:
    print("interrupted")
"""
    )
    assert done.stdout == "interrupted\n", done.stderr
    done = run(
        f"""
def told(progress):
    press_later(0.3)
    {busy}
problem = bnnplan.Problem.read({str(models / "sysadmin_10.toml")!r})
problem.horizon = 40
try:
    problem.plan(progress=told)
except KeyboardInterrupt:
    print("interrupted")
"""
    )
    assert done.stdout == "interrupted\n", done.stderr


def test_callbacks_run_where_they_were_given():
    done = run(
        """
threads = set()
def world(state, action):
    threads.add(threading.get_ident())
    return {"lit": bool(action["press"])}
light.add_goal(lit == 1)
assert bnnplan.discover(world, light, progress=lambda told: threads.add(threading.get_ident()))
print(threads == {threading.get_ident()})
"""
    )
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(
    "work",
    [
        'big.encode("wcnf", "big.wcnf")',
        'big.encode("opb")',
        "model.check(result, domain, episodes=10**9)",
        'big.check_proof("long.pbp")',
    ],
)
def test_long_work_is_interrupted(work, models, coins):
    done = run(
        f"""
big = bnnplan.Problem.read({str(models / "navigation_10x10.toml")!r})
big.horizon = 400
if "check(" in {work!r}:
    domain = bnnplan.rddl.load("coins.rddl", "coins_2.rddl")
    model = domain.compile(determinize="most-likely")
    result = model.plan(progress=False)
if "proof" in {work!r}:
    big.horizon = 4
    open("long.pbp", "w").write("pseudo-Boolean proof version 3.0\\nf\\n" + "rup >= 0 ;\\n" * 3_000_000)
press_later(0.5)
start = time.monotonic()
try:
    {work}
    time.sleep(1)  # it may be done before
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 60, os.path.exists("big.wcnf"))
"""
    )
    assert done.stdout == "interrupted True False\n", (done.stdout, done.stderr)


# What is known when Ctrl-C comes is in the exception, as the command line prints it.
@pytest.mark.parametrize(
    "work, known",
    [
        ("big.plan(progress=False)", "result.status == 'plan' and result.stopped == 'interrupted' and result.cost is not None"),
        ("big.compare(['search', 'neuron'], progress=False)", "list(result) == ['search'] and result['search'].stopped == 'interrupted'"),
        ("bnnplan.Planner(big, lookahead=40).plan(big.initial)", "result.stopped == 'interrupted'"),
        ("bnnplan.maxsat(hard=holes, soft=[([1], 1)], strategy='improve')", "result.status in ('unknown', 'satisfiable')"),
        ("bnnplan.pseudo_boolean(text=opb)", "result.status in ('unknown', 'satisfiable') and result.lower_bound is not None"),
        ("bnnplan.verify(digits, [0] * 300, norm='l0', ties='network')", "not result.proved and result.lower_bound > 0"),
        ("bnnplan.explain(digits, [0] * 300, kind='smallest')", "not result.is_smallest"),
        ("bnnplan.count(digits, [0] * 300, 150, norm='l0')", "not result.exact and result.lower < result.upper"),
        ("bnnplan.equal(digits, other)", "result.status == 'unknown'"),
        ("bnnplan.ask(digits, text='find = [\"score[1] > score[0]\"]')", "result.status == 'unknown'"),
    ],
)
def test_the_best_so_far_is_kept(work, known, models):
    done = run(
        f"""
import numpy as np
rng = np.random.default_rng(1)
def network():
    shape = (300, 200, 200)
    arrays = {{"scores/weight": np.array([[1] * 200, [-1] * 200])}}
    for i, (a, b) in enumerate(zip(shape, shape[1:])):
        arrays[f"layer{{i}}/weight"] = rng.choice([-1, 1], size=(b, a))
        arrays[f"layer{{i}}/threshold"] = np.full(b, a // 2 - 12)
    return bnnplan.Network.from_arrays(arrays)
digits, other = network(), network()
big = bnnplan.Problem.read({str(models / "sysadmin_10.toml")!r})
big.horizon = 40
holes, pigeons = [], 14
for p in range(pigeons):
    holes.append([1 + p * 13 + h for h in range(13)])
for h in range(13):
    holes += [[-(1 + p * 13 + h), -(1 + q * 13 + h)] for p in range(pigeons) for q in range(p)]
opb = "min: " + " ".join(f"+{{rng.integers(1, 50)}} x{{i}}" for i in range(1, 301)) + " ;\\n" + "".join(
    " ".join(f"+{{rng.integers(1, 50)}} x{{i}}" for i in rng.choice(300, 40, replace=False) + 1) + " >= 500 ;\\n" for _ in range(200))
press_later(1.5)
try:
    result = {work}
    print("ended early", result)
except bnnplan.Interrupted as interrupted:
    result = interrupted.result
    print("known" if {known} else repr(result))
"""
    )
    assert done.stdout == "known\n", (done.stdout, done.stderr)


# Daemon threads are still at work when the interpreter ends.
@pytest.mark.parametrize(
    "work",
    [
        "problem.plan()",
        "problem.plan(progress=lambda told: None)",
        "problem.network(batch)",
        'problem.encode("wcnf")',
        "bnnplan.discover(lambda state, action: {'lit': False}, light)",
    ],
)
def test_the_interpreter_ends_while_threads_work(work, models):
    done = run(
        f"""
import numpy
problem = bnnplan.Problem.read({str(models / "sysadmin_10.toml")!r})
problem.horizon = 40
batch = numpy.zeros((20000, len(problem.network.inputs)), dtype=bool)
light.add_goal(lit == 1)
def work():
    while True:
        {work}
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
print("ends", flush=True)
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")
