"""Discovery with any Python function as the world, and with a domain."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError


def maze(horizon=8):
    """A row of six rooms with a locked door; what a step does is open."""
    problem = bnnplan.Problem("maze", horizon=horizon)
    room = problem.state("room", bits=3, initial=0)
    key = problem.state("key", initial=0)
    left, right, take = problem.action("left"), problem.action("right"), problem.action("take")
    problem.add(left + right + take <= 1)
    problem.add_goal(room == 5)
    problem.minimize(left + right + 2 * take)
    return problem


def world(state, action):
    room, key = state["room"], state["key"]
    if action["take"] and room == 1:
        key = True
    if action["left"]:
        room = max(room - 1, 0)
    if action["right"] and room < 5 and (room != 3 or key):
        room += 1
    return {"room": room, "key": key}


def test_any_python_function_is_a_world():
    asked = []

    def watched(state, action):
        asked.append((tuple(state.items()), tuple(action.items())))
        assert isinstance(state["room"], int) and isinstance(state["key"], bool) and isinstance(action["left"], bool)
        return world(state, action)

    rounds = []
    found = bnnplan.discover(watched, maze(), prove=True, threads=1, progress=rounds.append)
    assert found and found.cost == 7 and found.reward == -7 and found.optimal_in_model and found.world == "optimal"
    # Nothing is asked twice, until the plan is played once more at the end.
    assert found.questions == len(set(asked)) == len(found.data.X) == len(asked) - found.problem.horizon
    assert [r.questions for r in rounds] == [r.questions for r in found.rounds] and found.rounds[-1].holds
    # The plan does in the world what it says.
    state = {"room": 0, "key": False}
    for actions, room in zip(found.plan, found.plan.states["room"][1:]):
        state = world(state, {name: actions.get(name, False) for name in ("left", "right", "take")})
        assert state["room"] == room
    assert state["room"] == 5
    # The network gives what the world gave, on everything that was asked.
    assert (found.network(found.data.X) == found.data.Y).all() and any("data.csv" in line for line in found.network.record)
    assert found.problem.plan().cost == 7
    assert found.plan.evidence(found.data) and "questions" in str(found) and repr(found).startswith("<Discovery cost 7, optimal")
    assert "<iframe" in found._repr_html_()
    found.write("found")
    assert sorted(os.listdir("found")) == ["data.csv", "index.html", "network.bnn", "plan.json", "problem.toml"]
    assert bnnplan.Problem.read("found/problem.toml").check("found/plan.json")
    same = bnnplan.discover(world, maze(), prove=True, threads=1)
    assert same.questions == found.questions and same.network == found.network


def test_what_else_a_world_may_say():
    # A reward beside the state, as FunctionEnvironment has it; an action that cannot be done, with and without a reason.
    assert bnnplan.discover(lambda s, a: (world(s, a), 1.0), maze()).cost == 7
    for refusal in (None, "", "the floor is wet"):
        with pytest.raises(InputError) as error:
            bnnplan.discover(lambda s, a, refusal=refusal: refusal, maze())
        assert not refusal or refusal in str(error.value)
    # A wall that nothing passes: proved that there is no plan.
    nothing = bnnplan.discover(lambda s, a: dict(s), maze(), prove=True)
    assert not nothing and nothing.world == "infeasible" and nothing.cost is None and repr(nothing).startswith("<Discovery no plan")
    few = bnnplan.discover(world, maze(), questions=3)
    assert few.stopped == "questions" and few.questions <= 3
    assert bnnplan.discover(world, maze(), until=7, ask="random", seed=3).cost == 7


def test_what_is_known_is_not_learned():
    half = maze()
    half.add(half["key"].next == half["key"])
    found = bnnplan.discover(lambda s, a: {**world(s, a), "key": s["key"]}, half)
    # Without the key there is no way, and it ends although that cannot be proved: nothing new is met.
    assert not found and found.world == "none" and "known transitions" in found.obstacle and found.stopped == ""
    assert "key'" not in found.data.outputs and "room.0'" in found.data.outputs


def test_worlds_that_are_wrong():
    for bad in (5, [1], {"room": 9, "key": 0}, {"room": "a", "key": 0}, {"cellar": 1}, {"room": 1}, {"room": 0.5, "key": 0}, np.zeros(4)):
        with pytest.raises((InputError, TypeError)):
            bnnplan.discover(lambda s, a, bad=bad: bad, maze())

    def raising(state, action):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        bnnplan.discover(raising, maze())
    with pytest.raises(ZeroDivisionError):
        bnnplan.discover(world, maze(), progress=lambda turn: 1 / 0)
    for arguments, options in (
        ((None, maze()), {}), ((world, None), {}), ((world, "maze"), {}), ((world,), {}), ((world, maze()), {"ask": "nicely"}),
        ((world, maze()), {"questions": 0}), ((world, maze()), {"until": "x"}), ((world, maze()), {"goals": ["x"]}),
        ((world, maze(horizon=1)), {"horizon": 0}), ((world, maze()), {"time_limit": -1}), ((world, bnnplan.Problem("p", horizon=2)), {}),
    ):  # fmt: skip
        with pytest.raises((InputError, TypeError)):
            bnnplan.discover(*arguments, **options)


def test_the_world_is_interrupted():
    def slow(state, action):
        time.sleep(0.01)
        return world(state, action)

    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bnnplan.discover(slow, maze(horizon=30), prove=True, questions=10_000)
            time.sleep(1)  # it may be done before
    finally:
        timer.cancel()


def test_a_domain_is_a_world(domains):
    domain = bnnplan.rddl.load(domains / "navigation.rddl", domains / "navigation_3x3.rddl")
    found = bnnplan.discover(domain, threads=1)
    assert found and found.optimal_in_model and found.promise == "" and found.questions < len(domain.simulate(exhaustive=True).X)
    assert found.cost == domain.compile().plan().cost
    assert found.problem.check(found.plan, domain)
    with pytest.raises(InputError):
        bnnplan.discover(domain, maze())
