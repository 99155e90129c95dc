"""The package itself: documentation of everything public, stubs that fit, wrong types everywhere."""

import ast
import importlib.util
import inspect
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import bnnplan
from bnnplan import _core


def test_everything_public_is_documented_and_hinted():
    assert bnnplan.__version__ and "bnnplan.Problem.read" in bnnplan.__doc__
    looked_at = 0
    for name in bnnplan.__all__:
        thing = getattr(bnnplan, name)
        assert inspect.getdoc(thing), name
        members = inspect.getmembers(thing) if inspect.isclass(thing) else [("", thing)]
        for member, value in members:
            if member.startswith("_") and member:
                continue
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not inspect.isfunction(function) or not function.__module__.startswith("bnnplan"):
                continue
            looked_at += 1
            assert inspect.getdoc(function), f"{name}.{member} has no documentation"
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, f"{name}.{member} has no return type"
            for parameter in signature.parameters.values():
                if parameter.name in ("self", "cls"):
                    continue
                assert parameter.annotation is not inspect.Parameter.empty, f"{name}.{member}: {parameter.name}"
    assert looked_at > 80


def test_only_public_names_are_listed():
    assert sorted(name for name in dir(bnnplan) if not name.startswith("_")) == sorted(bnnplan.__all__)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: p.plan(time_limit="long"), "time_limit= is 'long', expected a number"),
        (lambda p: p.plan(horizon="3"), "horizon is '3', expected a whole number or None"),
        (lambda p: p.plan(seed=-1), "seed= is -1, expected a whole number from 0 to 9223372036854775807"),
        (lambda p: p.plan(threads="all"), "threads= is 'all', expected a whole number"),
        (lambda p: p.plan(threads=0), "threads= is 0, expected a whole number from 1 to 1024"),
        (lambda p: p.plan(repair=3), "expected a domain, as rddl.load returns it, not int"),
        (lambda p: setattr(p, "horizon", "x"), "steps is 'x', expected a whole number"),
        (lambda p: p.state("n", bits=2.5), "bits is 2.5, expected a whole number or None"),
        (lambda p: p.encode("opb", neurons=1), "neurons= is 1, expected a text"),
        (lambda p: bnnplan.Network.parse(3), "text is 3, expected a text"),
        (lambda p: bnnplan.Network([[[1]]], [[1]], inputs=[1]), "inputs is [1], expected a list, each of it a text or None"),
        (lambda p: bnnplan.learn([[0]], [[1]], hidden=["a"]), "hidden= is ['a'], expected a list of whole numbers"),
        (lambda p: bnnplan.learn([[0]], [[1]], threads=0), "threads= is 0, expected a whole number from 1 to 1024"),
        (lambda p: bnnplan.maxsat(hard=[["a"]]), "hard is [['a']], expected a list"),
    ],
)
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(light())
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_the_stubs_say_what_the_module_has():
    folder = Path(bnnplan.__file__).parent
    assert (folder / "py.typed").exists()
    tree = ast.parse((folder / "_core.pyi").read_text())
    stubs = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stubs[node.name] = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            stubs[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            stubs[node.target.id] = None
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert public == set(stubs)
    for name, members in stubs.items():
        if members is None:
            continue
        real = {m for m in vars(getattr(_core, name)) if not m.startswith("_")}
        assert real == {m for m in members if not m.startswith("_")}, name


def test_the_types_fit(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("skipped: mypy is not installed (Debian: mypy)")
    source = Path(__file__).resolve().parents[1] / "bnnplan"
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={tmp_path}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=source.parents[1])
    assert done.returncode == 0, done.stdout


pytestmark = pytest.mark.filterwarnings("ignore")  # of NumPy, about what strange arrays mean


# Whatever is passed, there is an exception or a result, and the interpreter lives on. Files are few and small, so that nothing
# takes long.
STRANGE = [
    None, True, -1, 0, 1, 3, 2**31, 2**63, -(2**63), 2**64, 10**30, 0.5, -0.0, float("nan"), float("inf"), 1e308, 1j, "", "x", "x'",
    "a\0b", "\ud800", "x" * 5000, "x <= 1", "lit + press <= 1", b"bytes", [], [1], [[1]], [[0, 1]], [["a"]], (), (1, 2), {}, {"a": 1},
    {"lit": 1}, {1: 2}, set(), object(), Decimal("0.1"), Decimal("nan"), range(3), lambda *a: None, lambda *a: 1 / 0, int, Exception,
    np.zeros(3), np.zeros((2, 3)), np.zeros((0, 0)), np.ones((2, 2, 2)), np.array(1), np.array([["a"]]), np.array([None]),
    np.full((2, 2), np.nan), np.zeros((3, 2), dtype=np.uint8)[::-1], np.zeros((2, 2), dtype=complex), np.bool_(True), np.int8(-3),
    np.array([(1, 2)], dtype=[("a", int), ("b", int)]), np.zeros((2, 2), dtype=">i4"), np.zeros((1, 2), order="F"),
    np.datetime64("2020-01-01"), Path("missing"), Path("."),
]  # fmt: skip


def light():
    problem = bnnplan.Problem("light", horizon=2)
    lit, press = problem.state("lit", initial=0), problem.action("press")
    problem.add(lit.next == lit + press)
    problem.minimize(press)
    return problem


def open_world():
    problem = bnnplan.Problem("open", horizon=2)
    problem.state("lit", initial=0)
    problem.minimize(problem.action("press"))
    return problem


def targets(domains):
    network = bnnplan.Network([[[1, -1]]], [[1]])
    classes = bnnplan.Network.from_arrays({"layer0/weight": [[1, -1]], "layer0/threshold": [1], "scores/weight": [[1], [-1]]})
    domain = bnnplan.rddl.load(domains / "navigation.rddl", domains / "navigation_3x3.rddl")
    x = bnnplan.Variable("x", boolean=False, bits=3)

    def quick(function, **fixed):
        return lambda *a, **k: function(*a, **{**k, **fixed})

    problem = light()
    env = domain.environment()
    env.reset(seed=0)
    planner = bnnplan.Planner(domain.compile(), threads=1)
    return {
        "problem": [
            quick(bnnplan.Problem), bnnplan.Problem.read, bnnplan.Problem.parse, bnnplan.Problem.read_fd_sat_plan,
            lambda *a: light().state(*a), lambda *a: light().action(*a), lambda *a: light().auxiliary(*a),
            lambda *a: light().set_initial(*a), lambda *a: light().add(*a), lambda *a: light().add_goal(*a),
            lambda *a: light().minimize(*a), lambda *a: light().maximize(*a), lambda *a: setattr(light(), "horizon", *a),
            lambda *a: setattr(light(), "network", *a), lambda *a: setattr(light(), "name", *a), lambda *a: light()[a[0]],
            light().check, light().check_proof, light().encode, light().decode, light().compare, light().variables,
            lambda *a: light() == a[0], lambda *a: light().state("n", bits=a[0]), lambda *a: light().state("n", 3, scale=a[0]),
            lambda *a: light().state("n", 3, initial=a[0]), lambda *a: light().write(*a),
        ],
        "plan": [
            *[
                (lambda key: lambda *a: problem.plan(**{"time_limit": 1, "engine": "search", "progress": False, key: a[0]}))(key)
                for key in (
                    "horizon", "engine", "first", "shortest", "time_limit", "memory_limit", "threads", "seed", "neurons", "solver_format",
                    "proof", "proof_version", "checkpoint", "checkpoint_every", "resume", "repair", "progress",
                )
            ],
        ],
        "network": [
            network, bnnplan.Network, bnnplan.Network.read, bnnplan.Network.parse, bnnplan.Network.from_arrays,
            bnnplan.Network.import_file, lambda *a: bnnplan.Network([a[0]], [a[-1]]), lambda *a: network.write(*a),
            lambda *a: bnnplan.Network([[[1]]], [[1]], a[0], a[-1]), lambda *a: bnnplan.Network.from_batch_norm([[[1]]], [a[0]]),
            lambda *a: bnnplan.Network.from_batch_norm([[[1]]], [{"mean": a[0]}]), lambda *a: network == a[0],
            lambda *a: bnnplan.Network.from_arrays({"layer0/weight": a[0]}, range=a[-1]),
        ],
        "expression": [
            lambda *a: x + a[0], lambda *a: a[0] - x, lambda *a: x * a[0], lambda *a: x / a[0], lambda *a: x <= a[0],
            lambda *a: a[0] == x, lambda *a: x[a[0]], lambda *a: bnnplan.total(a[0]), lambda *a: bnnplan.Variable(*a),
            lambda *a: (a[0] * x >= a[-1]).text,
        ],
        "world": [
            bnnplan.rddl.load, bnnplan.Environment, env.step, env.legal, bnnplan.FunctionEnvironment, planner, planner.plan,
            bnnplan.Planner, bnnplan.RDDLAgent, lambda *a: env.reset(seed=a[0]), lambda *a: domain.compile(horizon=a[0], time_limit=5),
            lambda *a: domain.compile(goals=a[0]), lambda *a: domain.compile(bits=a[0]), lambda *a: domain.compile(network=a[0]),
            lambda *a: domain.compile(determinize=a[0]), lambda *a: domain.simulate(2, 3, seed=a[0]),
            lambda *a: domain.simulate(1, 2, policy=a[0]), lambda *a: domain.simulate(1, 2, inputs=a[0]),
            lambda *a: bnnplan.run(domain, a[0], episodes=1, steps=1), lambda *a: bnnplan.run(a[0], "noop", episodes=1, steps=1),
            lambda *a: bnnplan.run(domain, "noop", episodes=1, steps=1, seed=a[0]),
            lambda *a: bnnplan.run(domain, "plan", episodes=1, steps=1, lookahead=a[0] if a[0] != 2**31 else 2, time_limit=0.1),
        ],
        "questions": [
            lambda *a: bnnplan.learn(*a[:2], hidden=[2], epochs=1, progress=False), lambda *a: bnnplan.read_transitions(*a),
            lambda *a: bnnplan.learn([[0]], [[1]], hidden=a[0], epochs=1, test_share=0, progress=False)
            if not isinstance(a[0], (list, tuple, range, np.ndarray)) or all(isinstance(v, str) or np.size(v) != 1 or v < 50 for v in a[0])
            else None,
            lambda *a: bnnplan.learn([[0]], [[1]], hidden=[1], epochs=1, rate=a[0], test_share=0, progress=a[-1]),
            lambda *a: bnnplan.learn([[0]], [[1]], hidden=[1], epochs=1, batch=a[0], seed=a[-1], test_share=0, progress=False),
            bnnplan.maxsat, lambda *a: bnnplan.maxsat(text=a[0]), lambda *a: bnnplan.maxsat(hard=a[0], time_limit=1),
            lambda *a: bnnplan.maxsat(hard=[a[0]], time_limit=1), lambda *a: bnnplan.maxsat(soft=[(a[0], a[-1])], time_limit=1),
            lambda *a: bnnplan.verify(*a), lambda *a: bnnplan.verify(network, *a), bnnplan.pseudo_boolean,
            lambda *a: bnnplan.pseudo_boolean(text=a[0], time_limit=1), lambda *a: bnnplan.learn([[0]], [[1]], also=a[0], measure=a[-1]),
            *[
                (lambda key: lambda *a: bnnplan.learn([[0], [1]], [[1], [0]], test_share=0, **{"time_limit": 1, "progress": False, key: a[0]}))(key)
                for key in ("technique", "smallest", "sparse", "density", "validation_share", "distinct", "time_limit", "inputs", "outputs")
            ],
        ],
        "properties": [
            lambda *a: bnnplan.equal(*a), lambda *a: bnnplan.equal(network, *a), lambda *a: bnnplan.equal(network, network, *a),
            lambda *a: bnnplan.equal(network, network, [0, 1], epsilon=a[0], norm=a[-1]), lambda *a: bnnplan.monotone(network, *a),
            lambda *a: bnnplan.monotone(classes, a[0], a[-1], increasing=a[0], by="class"), lambda *a: bnnplan.explain(*a),
            lambda *a: bnnplan.explain(classes, *a), lambda *a: bnnplan.explain(classes, [0, 1], epsilon=a[0], ties=a[-1], kind=a[-1]),
            lambda *a: bnnplan.count(classes, *a), lambda *a: bnnplan.count(classes, [0, 1], a[0], what=a[-1]),
            lambda *a: bnnplan.ask(*a), lambda *a: bnnplan.ask(classes, *a), lambda *a: bnnplan.ask(classes, text=a[0], vnnlib=a[-1]),
            lambda *a: bnnplan.verify(classes, [0, 1], *a), lambda *a: problem.plan().evidence(*a), lambda *a: problem.check([], *a),
            lambda *a: bnnplan.discover(*a), lambda *a: bnnplan.discover(lambda s, b: a[0], open_world(), questions=20),
            lambda *a: bnnplan.discover(lambda s, b: {"lit": a[0]}, open_world(), questions=20),
            lambda *a: bnnplan.discover(a[0], open_world(), questions=20),
            *[
                (lambda key: lambda *a: bnnplan.discover(lambda s, b: s, open_world(), **{"questions": 20, "time_limit": 1, key: a[0]}))(key)
                for key in ("horizon", "prove", "until", "questions", "ask", "time_limit", "memory_limit", "threads", "seed", "progress", "bits")
            ],
        ],
    }  # fmt: skip


@pytest.mark.parametrize("part", ["problem", "plan", "network", "expression", "world", "questions", "properties"])
def test_whatever_is_passed(part, domains):
    source = random.Random(part)
    outcomes = {"result": 0, "error": 0}
    for target in targets(domains)[part]:
        calls = [(value,) for value in STRANGE]
        calls += [tuple(source.choices(STRANGE, k=2)) for _ in range(40)] + [()]
        for arguments in calls:
            try:
                target(*arguments)
                outcomes["result"] += 1
            except Exception as error:  # never one of the system, and always in words that a user of Python knows
                outcomes["error"] += 1
                assert not isinstance(error, (SystemError, MemoryError)), (target, arguments, error)
                for sign in ("incompatible", "_core", "std::", "C++", "arg0", "/bnnplan-"):  # of pybind11, of temporary files
                    assert sign not in str(error), (target, arguments, error)
    assert outcomes["error"] > 100
    assert light().plan().status == "optimal"
