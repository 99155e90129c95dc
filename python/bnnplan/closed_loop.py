"""Closed loop: plan, act, look where that led, plan again; and policies in general."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _core
from .arguments import named_arguments, named_arguments_of
from .environment import Environment, FunctionEnvironment
from .errors import InputError, unless_raised
from .exact import BitCount
from .expression import exact_number
from .frames import Array
from .network import Network
from .options import takes_options
from .plan import PlanResult
from .problem import Problem
from .progress import check_wanted
from .rddl import Domain, Precision, compile_texts

__all__ = ["Planner", "run", "RunResult", "RDDLAgent"]

State = Mapping[str, Any]
Action = Dict[str, Any]

try:  # the real base class, where it is installed
    from pyRDDLGym.core.policy import BaseAgent as _BaseAgent
except ImportError:
    _BaseAgent = object


def state_bits(variables: List[Tuple[str, bool, int, bool, int]], state: State, missing: int = 0) -> Array:
    """The bits of a state; those of a variable that it does not mention are ``missing``."""
    bits: List[int] = []
    for name, boolean, width, signed, scale in variables:
        if name not in state:
            bits.extend([missing] * width)
            continue
        value = state[name]
        number = exact_number(value) / Fraction(10) ** scale
        low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, 2**width - 1)
        if number.denominator != 1 or not low <= number <= high:
            raise InputError(f"'{name}' is {value!r}, which the problem's variable cannot be")
        whole = int(number)
        bits.extend((whole >> bit) & 1 for bit in range(width))
    return np.array(bits, dtype=np.int8)


@named_arguments_of
class Planner:
    """A policy that plans: from the current state, for this number of steps, and acts on the first of them.

    Search keeps what it knows from plan to plan, so that most plans take far less than the first one.

        planner = bnnplan.Planner(problem, lookahead=4)
        action = planner(state)
    """

    def __init__(
        self,
        problem: Problem,
        lookahead: Optional[int] = None,
        replan: int = 1,
        **limits: Any,
    ):
        """Makes a policy.

        Args:
            problem: its initial state does not matter; what a state does not mention is taken for 0
            lookahead: the steps of a plan; the horizon of the problem if not given
            replan: plan again after this many steps
            limits: time_limit, memory_limit, threads and seed of each plan, as for :meth:`Problem.plan`
        """
        if not isinstance(problem, Problem):
            raise TypeError(f"expected a Problem, not {type(problem).__name__}")
        steps = problem.horizon if lookahead is None else lookahead
        if steps is None:
            raise InputError("the problem states no horizon: give a lookahead")
        if steps < 1 or not 1 <= replan <= steps:
            raise InputError("plan again after 1 to `lookahead` steps")
        self.lookahead, self.replan = steps, replan
        self._variables = problem._core.variables("state")
        self._core = _core.Replanner(problem._core, limits)
        self._planned: List[Action] = []
        self._used = 0
        #: the result of the last plan
        self.result: Optional[PlanResult] = None

    def reset(self) -> None:
        """Forgets what it had planned, for a new episode."""
        self._planned, self._used = [], 0

    def plan(self, state: State, horizon: Optional[int] = None) -> PlanResult:
        """A plan from this state on."""
        if not isinstance(state, Mapping):
            raise TypeError(f"a state is a dictionary of variables and values, not {type(state).__name__}")
        outcome, raised = self._core.plan(state_bits(self._variables, state), self.lookahead if horizon is None else horizon)
        self.result = PlanResult(outcome)
        return unless_raised(self.result, raised)

    def __call__(self, state: State, steps_left: Optional[int] = None) -> Action:
        """The action to take: that of the plan, or none, ``{}``, where there is no plan."""
        if self._used == len(self._planned) or self._used == self.replan:
            horizon = self.lookahead if steps_left is None else max(1, min(self.lookahead, steps_left))
            result = self.plan(state, horizon)
            self._planned, self._used = list(result.plan) if result.plan else [], 0
        if not self._planned:
            return {}
        action = self._planned[self._used]
        self._used += 1
        return dict(action)


class RunResult:
    """What a policy got."""

    def __init__(self, policy: str, returns: Optional[List[float]], mean: float, deviation: float, episodes: int, **more: Any):
        #: the name of the policy
        self.policy = policy
        #: the discounted sum of rewards of each episode; None where only their mean is known
        self.returns = returns
        #: their mean and standard deviation
        self.mean, self.deviation = mean, deviation
        #: how many episodes
        self.episodes = episodes
        #: counts: decisions, proved, without_plan, ended, seconds; half_interval is that of the mean, with 95 percent confidence
        self.statistics = more

    def __repr__(self) -> str:
        return f"<RunResult {self.policy}: mean {self.mean:.6g}, deviation {self.deviation:.3g}, {self.episodes} episodes>"


@named_arguments
@takes_options("run")
def run(
    world: Union[Domain, Environment, FunctionEnvironment, Any],
    policy: Union[str, Callable[[Any], Any]] = "plan",
    *,
    episodes: int = 30,
    steps: Optional[int] = None,
    seed: int = 0,
    ignore_discount: bool = False,
    bits: Optional[Mapping[str, BitCount]] = None,
    precision: Precision = None,
    ranges: Optional[Mapping[str, Tuple[Any, Any]]] = None,
    reachable_ranges: bool = True,
    network: Optional[Network] = None,
    discount: Optional[float] = None,
    progress: Optional[Callable[[int], object]] = None,
    **options: Any,
) -> RunResult:
    """Runs a policy in a world, episode after episode.

    Args:
        world: a domain, or any environment with ``reset`` and ``step`` in the style of Gymnasium
        policy: a function of the state that returns an action, a :class:`Planner` for example. For a domain also "plan" (the
            first actions of a plan for the next ``lookahead`` steps), "random" (legal actions) and "noop" (the default one);
            for an environment that can, "random", too
        episodes, steps, seed: how many, how long, and what luck depends on
        ignore_discount, bits, precision, ranges, reachable_ranges, network: of "plan", as for
            :meth:`bnnplan.rddl.Domain.compile`; so are the options below
        discount: of rewards; the domain's, or 1
        progress: called with the number of each episode before it begins
    """
    check_wanted(progress)
    if isinstance(world, Domain) and isinstance(policy, str):
        loop = {"determinize": "most-likely", **options, "episodes": episodes, "steps": steps, "seed": seed}
        compiled = {**compile_texts(bits, precision, ranges, ignore_discount), "reachable_ranges": reachable_ranges}
        answer = world._core.run_policy(policy, loop, compiled, None if network is None else network._core, progress)
        return RunResult(returns=None, **answer)
    environment = Environment(world, steps) if isinstance(world, Domain) else world
    if discount is None:
        discount = world.discount if isinstance(world, Domain) else 1.0
    if policy == "random" and hasattr(environment, "sample_action"):
        act: Callable[[Any], Any] = lambda state: environment.sample_action()  # noqa: E731
    elif callable(policy):
        act = policy
    else:
        raise InputError(f"unknown policy {policy!r}: expected a function of the state")
    returns: List[float] = []
    decisions = ended = 0
    for episode in range(episodes):
        if progress is not None:
            progress(episode)
        if hasattr(policy, "reset"):
            policy.reset()
        state, _ = environment.reset(seed=seed * 1_000_003 + episode)
        sum_, weight, taken = 0.0, 1.0, 0
        while True:
            state, reward, terminated, truncated, _ = environment.step(act(state))
            sum_ += weight * reward
            weight *= discount
            taken += 1
            if terminated or truncated or (steps is not None and taken >= steps):
                ended += terminated
                break
        decisions += taken
        returns.append(sum_)
    mean = math.fsum(returns) / len(returns) if returns else 0.0
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in returns) / (len(returns) - 1)) if len(returns) > 1 else 0.0
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", type(policy).__name__)
    return RunResult(name, returns, mean, deviation, episodes, decisions=decisions, ended=ended)


class RDDLAgent(_BaseAgent):  # type: ignore[misc]
    """An agent for pyRDDLGym that plans with bnnplan in the loop.

        agent = bnnplan.RDDLAgent("domain.rddl", "instance.rddl", lookahead=4, determinize="most-likely")
        agent.evaluate(env, episodes=10)              # pyRDDLGym's own loop, or
        state, _ = env.reset(); agent.reset()
        state, reward, terminated, truncated, _ = env.step(agent.sample_action(state))

    It is a ``pyRDDLGym.core.policy.BaseAgent`` where pyRDDLGym is installed. States and actions are dictionaries with the
    names of pyRDDLGym, ``robot-at___x1__y2`` (environments that are not vectorized).
    """

    use_tensor_obs = False

    def __init__(
        self,
        domain: Union[Domain, str, Any],
        instance: Any = None,
        lookahead: int = 4,
        replan: int = 1,
        *,
        time_limit: Optional[float] = None,
        threads: Optional[int] = None,
        seed: int = 0,
        **compile_options: Any,
    ):
        """Makes an agent.

        Args:
            domain: a file and an instance's file, or a :class:`bnnplan.rddl.Domain`
            lookahead, replan, time_limit, threads, seed: as for :class:`Planner`
            compile_options: as for :meth:`bnnplan.rddl.Domain.compile`, ``determinize`` above all
        """
        self.domain = domain if isinstance(domain, Domain) else Domain(domain, instance)
        self._steps = self.domain.horizon
        compile_options.setdefault("horizon", (self._steps or 0) + lookahead)
        problem = self.domain.compile(**compile_options)
        problem.clear_goals()
        self.planner = Planner(problem, lookahead, replan, time_limit=time_limit, threads=threads, seed=seed)
        self._states = {self._gym_name(f.fluent, f.arguments): name for name, f in self.domain.state.items()}
        self._actions = {name: (self._gym_name(f.fluent, f.arguments), f) for name, f in self.domain.action.items()}
        self._taken = 0

    @staticmethod
    def _gym_name(fluent: str, arguments: List[str]) -> str:
        if not arguments:
            return fluent
        return fluent + "___" + "__".join(argument.lstrip("$@") for argument in arguments)

    def reset(self) -> None:
        """Begins an episode."""
        self.planner.reset()
        self._taken = 0

    def sample_action(self, state: Optional[State] = None) -> Action:
        """The action to take, by the names of pyRDDLGym; only what differs from the default."""
        if not isinstance(state, Mapping):
            raise TypeError("a state is a dictionary of variables and values: of an environment that is not vectorized")
        known: Dict[str, Any] = {}
        for key, value in state.items():
            name = self._states.get(key, key if key in self.domain.state else None)
            if name is not None:
                known[name] = value
        missing = [name for name in self._states.values() if name not in known]
        if missing:
            raise InputError(f"the state does not say '{missing[0]}'")
        left = None if self._steps is None else self._steps - self._taken
        action = self.planner(known, left)
        self._taken += 1
        chosen: Action = {}
        for name, value in action.items():
            if name not in self._actions:
                continue
            gym_name, fluent = self._actions[name]
            if value != fluent.initial:
                chosen[gym_name] = bool(value) if fluent.kind == "bool" else value
        return chosen
