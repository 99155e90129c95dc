"""Domains, environments, closed loop, learning, and the agent for pyRDDLGym."""

import math
from decimal import Decimal

import numpy as np
import pytest

import bnnplan
from bnnplan import Environment, FunctionEnvironment, InputError, Planner, Problem, RDDLAgent, rddl


@pytest.fixture
def navigation(domains):
    return rddl.load(domains / "navigation.rddl", domains / "navigation_3x3.rddl")


@pytest.fixture
def sysadmin(domains):
    return rddl.load(domains / "sysadmin.rddl", domains / "sysadmin_4.rddl")


def test_what_luck_brings(coins):
    assert coins.is_random and coins.horizon == 6 and set(coins.action) == {"flip[a]", "flip[b]"}
    assert coins.state["count"].kind == "int" and (coins.state["count"].low, coins.state["count"].high) == (0, 3)
    problem = coins.compile(determinize="most-likely")
    assert problem.plan().reward == 2 * 6 - Decimal("0.5")
    with pytest.raises(InputError):
        coins.compile()


def test_what_a_domain_says(navigation):
    assert navigation.horizon and navigation.discount == 1.0 and not navigation.is_random
    assert all(f.kind == "bool" for f in navigation.state.values())
    assert sum(bool(f.initial) for f in navigation.state.values()) >= 1
    assert repr(navigation).startswith("<Domain navigation")
    with pytest.raises(InputError):
        rddl.load("missing.rddl", "missing.rddl")


def test_compiled_and_planned(navigation):
    problem = navigation.compile()
    result = problem.plan()
    assert result.status == "optimal"
    check = problem.check(result, navigation)
    assert check and check.domain_violation == "" and check.promise == ""
    assert navigation.compile(horizon=6).horizon == 6
    with pytest.raises(InputError):
        navigation.compile(determinize="perhaps")
    with pytest.raises(InputError):
        navigation.compile(goals=["nothing here"])


def test_simulation_takes_one_future_at_a_time(coins):
    with pytest.raises(InputError, match="determinize= is 'hindsight=4:0', which is several futures at once"):
        coins.simulate(exhaustive=True, determinize="hindsight=4")


def test_simulated_learned_planned(navigation, tmp_path):
    data = navigation.simulate(exhaustive=True)
    assert data.X.dtype == bool and data.X.shape == (len(data.Y), len(data.inputs)) and len(data.X) > 20
    learned = bnnplan.learn(data, hidden=[36, 36], test_share=0, stop_at_zero=True, threads=1)
    assert learned.errors["train"].wrong_transitions == 0
    assert (learned.network(data.X) == data.Y).all()
    problem = navigation.compile(network=learned.network)
    assert problem.network == learned.network
    learned_plan, true_plan = problem.plan(), navigation.compile().plan()
    assert learned_plan.cost == true_plan.cost
    assert problem.plan(repair=navigation).domain_reward == -true_plan.cost
    assert learned.history and "<svg" in learned._repr_html_() and repr(learned).startswith("<Learned ")


def test_simulation_is_the_same_for_the_same_seed(coins):
    one, other = coins.simulate(3, 20, seed=4), coins.simulate(3, 20, seed=4)
    assert (one.X == other.X).all() and (one.Y == other.Y).all() and len(one.X) == 60
    assert not (one.X.shape == coins.simulate(3, 20, seed=5).X.shape and (one.X == coins.simulate(3, 20, seed=5).X).all())
    unique = coins.simulate(3, 20, seed=4, unique=True)
    assert len(unique.X) <= 60
    for options in ({"policy": "best"}, {"start": "there"}, {"inputs": ["nothing"]}):
        with pytest.raises(InputError):
            coins.simulate(**options)
    with pytest.raises(InputError):
        coins.simulate(-1)


def test_learn_refuses(tmp_path):
    X = np.array([[0, 1], [1, 0]])
    for arguments, message in [
        ((X, X[:1]), "X has 2 rows and Y 1"),
        ((X, 2 * X), "neither 0 nor 1"),
        ((X,), "expected Y"),
        ((X[:0], X[:0]), "no transitions"),
        ((X[0], X), "expected two dimensions"),
        ((X.astype(float) / 0.3, X), "neither"),
    ]:
        with pytest.raises(InputError, match=message):
            bnnplan.learn(*arguments, hidden=[2])
    for options in (
        {"hidden": [0]}, {"epochs": 0}, {"rate": float("nan")}, {"test_share": 1}, {"inputs": ["a"]}, {"inputs": ["a", "a"]},
        {"outputs": ["a", "b"]}, {"threads": 10**6}, {"density": 0}, {"batch": 0}, {"test_share": 0.99},
    ):  # fmt: skip
        if "test_share" in options and options["test_share"] == 0.99:
            continue
        with pytest.raises(InputError):
            bnnplan.learn(X, X, **{"hidden": [2], **options})
    with pytest.raises(InputError):
        bnnplan.learn(X, X, hidden=[-1])
    with pytest.raises(TypeError):
        bnnplan.learn(X, X, hidden=[2], progress="bar")


def test_learn_chooses_what_is_left_open():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(300, 8))
    Y = np.stack([X[:, 0] & X[:, 1], X[:, 2] ^ X[:, 3], X[:, 4]], axis=1)
    told = []
    learned = bnnplan.learn(X, Y, threads=1, progress=told.append)
    assert learned.tried and [t for t in told if isinstance(t, bnnplan.Tried)] == learned.tried
    assert learned.errors["train"].wrong_transitions == 0 and learned.how and (learned.network(X) == Y).mean() > 0.9
    assert any("transitions" in line for line in learned.network.record)
    cover = bnnplan.learn(X, Y, technique="cover", test_share=0)
    assert (cover.network(X) == Y).all() and cover.history == [] and cover.diagnosis == "" and "<pre>" in cover._repr_html_()
    smallest = bnnplan.learn(X, Y, smallest=True, test_share=0, time_limit=3)
    assert (smallest.network(X) == Y).all() and sum(smallest.network.shape) <= sum(cover.network.shape)
    noisy = Y.copy()
    noisy[:20, 2] ^= 1
    wrong = bnnplan.learn(X, noisy, hidden=[4], epochs=2)
    assert wrong.errors["train"].wrong_transitions > 0 and "to try" in wrong.diagnosis
    more = bnnplan.learn(X[:100], Y[:100], also=(X[100:200], Y[100:200]), measure=bnnplan.Transitions(
        X[200:], Y[200:], [f"x{i}" for i in range(8)], [f"y{i}'" for i in range(3)]))  # fmt: skip
    assert more.errors["also"].samples == 100 == more.errors["evaluate"].samples
    for options in ({"technique": "luck"}, {"smallest": True, "hidden": [2]}, {"validation_share": 1}, {"time_limit": -1}, {"also": X},
                    {"also": (X,)}, {"measure": (X, Y[:1])}, {"technique": "cover", "hidden": [2]}):  # fmt: skip
        with pytest.raises(InputError):
            bnnplan.learn(X, Y, **options)


def test_reals_are_planned_with_a_precision(tmp_path):
    (tmp_path / "d.rddl").write_text("""domain tank { types {}; pvariables { level : { state-fluent, real, default = 0.5 };
      pump : { action-fluent, bool, default = false }; }; cpfs { level' = level + if (pump) then 0.25 else -0.25; };
      reward = level'; action-preconditions { level >= 0.0; level <= 1.0; }; }""")
    (tmp_path / "i.rddl").write_text("instance t1 { domain = tank; max-nondef-actions = 1; horizon = 2; discount = 1.0; }")
    tank = bnnplan.rddl.load(tmp_path / "d.rddl", tmp_path / "i.rddl")
    with pytest.raises(InputError):
        tank.compile()
    for precision in (0.01, {"level": 0.01}):
        result = tank.compile(precision=precision, ranges={"level": (0, 2)}).plan()
        assert float(result.reward) == 0.75 + 1.0
    assert tank.compile(precision=0.01, ranges={"level": (0, 2)}).check(result.plan, tank).episodes.mean == 1.75
    assert bnnplan.run(tank, "plan", episodes=1, lookahead=2, precision=0.01, ranges={"level": (0, 2)}).mean == 1.75
    for options in ({"precision": 3}, {"precision": "a"}, {"ranges": {"level": 1}}, {"ranges": {"level": (2, 1)}, "precision": 0.1},
                    {"precision": {"nothing": 0.1}}):  # fmt: skip
        with pytest.raises((InputError, TypeError)):
            tank.compile(**options)


def test_learn_tells_its_progress_and_can_be_stopped():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(200, 6))
    told = []
    learned = bnnplan.learn(X, X[:, ::-1], hidden=[16], epochs=5, progress=told.append, threads=1)
    assert [e.epoch for e in told] == [1, 2, 3, 4, 5] and learned.history == told

    def stop(epoch):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bnnplan.learn(X, X, hidden=[16], epochs=10_000, progress=stop, threads=1)
    one = bnnplan.learn(X, X, hidden=[8], epochs=3, seed=1, threads=1)
    assert one.network == bnnplan.learn(X, X, hidden=[8], epochs=3, seed=1, threads=2).network
    assert one.lines == 200 and one.distinct_rows <= 64 and one.contradictions == 0


def test_data_sets_are_read(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("a,n,a',n'\n1,3,0,-1\n0,2,1,1\n")
    data = bnnplan.read_transitions(file, {"n": (3, True)})
    assert data.inputs == ["a", "n.0", "n.1", "n.2"] and data.Y.tolist() == [[False, True, True, True], [True, True, False, False]]
    with pytest.raises(InputError) as caught:
        bnnplan.read_transitions(file)
    assert caught.value.line == 2
    with pytest.raises(InputError):
        bnnplan.read_transitions(file, {"n": 40})


def test_the_environment(coins):
    env = coins.environment(steps=5)
    assert isinstance(env, Environment)
    state, info = env.reset(seed=3)
    assert state in env.observation_space and set(state) == set(coins.state)
    total, steps, states = 0.0, 0, [state]
    while True:
        action = env.sample_action()
        assert env.legal(action) and action in env.action_space
        state, reward, terminated, truncated, info = env.step(action)
        assert state == env.state and isinstance(reward, float) and info["illegal"] == ""
        steps += 1
        states.append(state)
        if terminated or truncated:
            break
    assert steps == 5 and truncated
    with pytest.raises(InputError, match="over"):
        env.step({})
    again, _ = env.reset(seed=3)
    assert again == states[0]
    one, _ = env.reset()
    assert env.step({})[0] is not None
    with pytest.raises(InputError, match="unknown action"):
        env.step({"nothing": 1})
    name = next(iter(coins.action))
    for value in (2, 0.5, float("nan"), "x", None, [1], 1e300):
        with pytest.raises(InputError):
            env.step({name: value})
    with pytest.raises(InputError):
        env.step({1: 1})
    with pytest.raises(TypeError):
        env.step([1])
    with pytest.raises(InputError):
        coins.environment(illegal="perhaps")
    with pytest.raises(InputError):
        Environment(3)
    env.render(), env.close()


def test_dead_ends_are_ends(sysadmin):
    env = sysadmin.environment()
    env.reset(seed=0)
    for _ in range(100):
        _, _, terminated, truncated, _ = env.step(env.sample_action())
        if terminated or truncated:
            break
    assert terminated or truncated


def test_illegal_actions(navigation):
    env = navigation.environment()
    env.reset(seed=0)
    everything = {name: True for name in navigation.action}
    assert not env.legal(everything)
    with pytest.raises(InputError, match="illegal action"):
        env.step(everything)
    lenient = navigation.environment(illegal="default")
    before, _ = lenient.reset(seed=0)
    _, _, _, _, info = lenient.step(everything)
    assert info["illegal"]


def test_the_planner_in_the_environment(navigation):
    problem = navigation.compile()
    best = problem.plan()
    planner = Planner(problem)
    env = navigation.environment()
    state, _ = env.reset(seed=0)
    total, left = 0.0, navigation.horizon
    while left:
        state, reward, terminated, truncated, info = env.step(planner(state, left))
        total += reward
        left -= 1
    assert info["goal"] and total == float(best.reward)
    assert planner.result.status == "optimal"
    again = planner.plan(env.reset(seed=0)[0])
    assert again.cost == best.cost
    with pytest.raises(TypeError):
        planner([1])
    with pytest.raises(InputError):
        planner.plan({next(iter(navigation.state)): 3})
    with pytest.raises(InputError):
        Planner(problem, lookahead=0)
    with pytest.raises(InputError):
        Planner(problem, lookahead=2, replan=3)


def test_policies(coins):
    noop = bnnplan.run(coins, "noop", episodes=5, steps=6, seed=1)
    also_noop = bnnplan.run(coins, lambda state: {}, episodes=5, steps=6, seed=1)
    assert noop.mean == pytest.approx(also_noop.mean) and noop.deviation == pytest.approx(also_noop.deviation)
    assert len(also_noop.returns) == 5 and also_noop.statistics["decisions"] == 30
    drawn = bnnplan.run(coins, "random", episodes=3, steps=4)
    assert drawn.episodes == 3 and repr(drawn).startswith("<RunResult random: mean ")
    options = {"determinize": "most-likely"} if coins.is_random else {}
    told = []
    planned = bnnplan.run(coins, "plan", episodes=2, steps=4, lookahead=2, progress=told.append, threads=1, **options)
    assert planned.statistics["decisions"] == 8 and told == [0, 1]
    with pytest.raises(InputError):
        bnnplan.run(coins, "best")
    with pytest.raises(InputError):
        bnnplan.run(coins.environment(), "best")
    with pytest.raises(InputError):
        bnnplan.run(coins, "plan", lookahead=2, replan=3, **options)
    with pytest.raises(ZeroDivisionError):
        bnnplan.run(coins, lambda state: 1 / 0, episodes=1, steps=1)


def test_any_function_is_a_world():
    def world(state, action):
        return {"lit": bool(state["lit"]) != bool(action.get("press", 0))}

    env = FunctionEnvironment(world, {"lit": False}, reward=lambda s, a, after: float(after["lit"]), steps=4)
    assert bnnplan.run(env, lambda state: {"press": not state["lit"]}, episodes=2).mean == 4
    problem = Problem("light", horizon=2)
    lit, press = problem.state("lit"), problem.action("press")
    problem.add(lit.next <= lit + press, lit.next >= lit - press, lit.next >= press - lit, lit.next <= 2 - lit - press)
    problem.maximize(lit.next)
    assert bnnplan.run(env, Planner(problem), episodes=2).mean == 4
    pair = FunctionEnvironment(lambda s, a: (s, 2), lambda random: {"x": random.random()}, terminated=lambda s: True)
    assert bnnplan.run(pair, lambda s: {}, episodes=3).returns == [2.0] * 3
    with pytest.raises(TypeError):
        bnnplan.run(FunctionEnvironment(lambda s, a: 3, {}), lambda s: {}, episodes=1)
    for bad in ((3, {}), (world, 3)):
        with pytest.raises(TypeError):
            FunctionEnvironment(*bad)


class StandIn:
    """What an agent sees of pyRDDLGym: states and actions with its names, and the reward."""

    def __init__(self, domain):
        self.env = domain.environment(illegal="default")
        gym = RDDLAgent._gym_name
        self.states = {name: gym(f.fluent, f.arguments) for name, f in domain.state.items()}
        self.actions = {gym(f.fluent, f.arguments): name for name, f in domain.action.items()}
        self.horizon = domain.horizon

    def _renamed(self, state):
        return {self.states[name]: np.bool_(v) if isinstance(v, bool) else v for name, v in state.items()}

    def reset(self, seed=None):
        state, info = self.env.reset(seed=seed)
        return self._renamed(state), info

    def step(self, actions):
        assert all(isinstance(v, (bool, int, float)) for v in actions.values())
        state, *rest = self.env.step({self.actions[name]: value for name, value in actions.items()})
        return (self._renamed(state), *rest)


def test_the_agent_of_pyrddlgym(domains, navigation):
    agent = RDDLAgent(domains / "navigation.rddl", domains / "navigation_3x3.rddl", lookahead=navigation.horizon)
    env = StandIn(navigation)
    state, _ = env.reset(seed=1)
    assert any("___" in name and "__" in name for name in state)
    agent.reset()
    total = 0.0
    for _ in range(env.horizon):
        action = agent.sample_action(state)
        state, reward, terminated, truncated, _ = env.step(action)
        total += reward
        if terminated or truncated:
            break
    optimum = navigation.compile(horizon=env.horizon)
    optimum.clear_goals()
    assert total == float(optimum.plan().reward)
    with pytest.raises(InputError, match="does not say"):
        agent.sample_action({})
    with pytest.raises(TypeError):
        agent.sample_action()


def test_the_agent_in_a_random_domain(coins):
    options = {"determinize": "most-likely"} if coins.is_random else {}
    agent = RDDLAgent(coins, lookahead=2, threads=1, **options)
    env = StandIn(coins)
    state, _ = env.reset(seed=1)
    agent.reset()
    for _ in range(5):
        state, reward, terminated, truncated, info = env.step(agent.sample_action(state))
        assert math.isfinite(reward) and info["illegal"] == ""
