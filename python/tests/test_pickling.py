"""What is worth keeping can be pickled and copied, and is the same afterwards, without the files it came from."""

import copy
import pickle

import numpy as np
import pytest

import bnnplan
from bnnplan import Network, Problem, rddl


def copies(thing):
    return [pickle.loads(pickle.dumps(thing)), pickle.loads(pickle.dumps(thing, 2)), copy.copy(thing), copy.deepcopy(thing)]


def test_problems(models):
    for file in sorted(models.glob("*.toml")):
        problem = Problem.read(file)
        for other in copies(problem):
            assert other == problem and other is not problem and other.text == problem.text and other.network == problem.network
    other.horizon = 3  # a copy is one of its own
    assert problem.horizon != 3


def test_problems_in_the_making():
    problem = Problem()
    for other in copies(problem):
        assert other == problem
    problem.horizon = 2
    lit, press = problem.state("lit"), problem.action("press")
    n = problem.state("n", bits=3, signed=True, scale=-1, initial=-0.2)
    for other in copies(problem):  # nothing says what a step does
        assert other == problem
        other.add(lit.next == lit + press)  # its variables are those of the original
    problem.network = Network([[[1, 1]]], [[1]], inputs=["lit", "press"], outputs=["lit'"])
    for other in copies(problem):
        assert other == problem and other.network == problem.network
    problem.add(n.next == n)
    problem.minimize(press)
    problem.add_goal(lit == 1)
    for other in copies(problem):
        assert other == problem and other.plan().cost == problem.plan().cost
    variable = copies(lit)[0]
    problem.add(variable <= 1)


@pytest.mark.parametrize("limits", [{}, {"time_limit": 1e-9}, {"engine": "neuron"}])
def test_results(corridor, limits):
    result = corridor.plan(**limits)
    for other in copies(result):
        assert other.to_json() == result.to_json() and str(other) == str(result) and repr(other) == repr(result)
        assert other.bounds == result.bounds and other.statistics == result.statistics and other.stopped == result.stopped
        assert [type(value) for value in other.statistics.values()] == [type(value) for value in result.statistics.values()]
        assert bool(other) == bool(result)
        if result:
            assert (other.plan.action_bits == result.plan.action_bits).all() and corridor.check(other)
    if result:
        for plan in copies(result.plan):
            assert plan.to_json() == result.plan.to_json() and (plan.state_bits == result.plan.state_bits).all()
    infeasible = corridor.plan(3)
    assert all(other.status == "infeasible" for other in copies(infeasible))


def test_domains_need_no_files(domains, tmp_path):
    for name in ("navigation", "navigation_3x3"):
        (tmp_path / f"{name}.rddl").write_bytes((domains / f"{name}.rddl").read_bytes())
    domain = rddl.load(tmp_path / "navigation.rddl", tmp_path / "navigation_3x3.rddl")
    kept = pickle.dumps(domain)
    for file in tmp_path.glob("*.rddl"):
        file.unlink()
    for other in (pickle.loads(kept), copy.copy(domain), copy.deepcopy(domain)):
        assert repr(other) == repr(domain) and other.state == domain.state and other.action == domain.action
        assert other.compile() == domain.compile() and other.compile().plan().cost == 4
        assert (other.simulate(2, 5, seed=3).X == domain.simulate(2, 5, seed=3).X).all()
        assert bnnplan.discover(other, threads=1).cost == 4


def test_the_rest(corridor):
    x, n = bnnplan.Variable("x"), bnnplan.Variable("n", boolean=False, bits=3)
    for thing in (x, n[1].next, 2 * x + n - 0.5, x + n <= 3, (x & ~n[0]) | x.next):
        assert all(other.text == thing.text for other in copies(thing))
    error = pickle.loads(pickle.dumps(bnnplan.InputError("a.toml:3: wrong", "a.toml", 3, "wrong")))
    assert (error.file, error.line, error.message) == ("a.toml", 3, "wrong")
    check = corridor.check(corridor.plan())
    assert all(bool(other) and other.cost == check.cost for other in copies(check))
    data = bnnplan.Transitions(np.eye(2), np.eye(2), ["a", "b"], ["a'", "b'"])
    learned = bnnplan.learn(data, test_share=0)
    assert all(other.network == learned.network for other in copies(learned))
