"""Worlds to act in, in the style of Gymnasium: RDDL domains, and any Python function."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from . import _core
from .arguments import named_arguments_of
from .errors import InputError
from .rddl import Domain, Fluent, require_domain

__all__ = ["Environment", "FunctionEnvironment", "spaces"]

try:  # the real base class, where it is installed
    import gymnasium as _gymnasium
    from gymnasium import spaces

    _Base: Any = _gymnasium.Env
except ImportError:
    _gymnasium = None
    _Base = object
    from . import spaces

State = Dict[str, Any]


def _space_of(fluent: Fluent) -> Any:
    if fluent.kind == "bool":
        return spaces.Discrete(2)
    if fluent.kind != "real" and fluent.low is not None and fluent.high is not None:
        return spaces.Discrete(fluent.high - fluent.low + 1, start=fluent.low)
    return spaces.Box(-float("inf"), float("inf"), shape=())


@named_arguments_of
class Environment(_Base):  # type: ignore[misc]
    """An RDDL domain as an environment.

    States and actions are dictionaries by the names of variables; an action has the default for what it does not mention. An
    episode is over (``terminated``) where the domain says so, an invariant breaks or no action is legal, and cut off (``truncated``) after the
    horizon of the instance.

        env = bnnplan.rddl.load("navigation.rddl", "navigation_3x3.rddl").environment()
        state, info = env.reset(seed=1)
        state, reward, terminated, truncated, info = env.step(env.sample_action())
    """

    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None

    def __init__(self, domain: Domain, steps: Optional[int] = None, illegal: str = "raise"):
        """Makes an environment.

        Args:
            domain: as :func:`bnnplan.rddl.load` returns it
            steps: of an episode, if not the horizon of the instance; without either it is never cut off
            illegal: what an illegal action does: "raise" an InputError, or "default": the default action instead
        """
        self.domain = require_domain(domain)
        if illegal not in ("raise", "default"):
            raise InputError("illegal is raise or default")
        self._illegal = illegal
        self._steps = domain.horizon if steps is None else steps
        self._world = _core.Episode(domain._core, 0)
        self._seeds = random.Random(0)
        self._taken = 0
        self._over = True
        self.observation_space = spaces.Dict({name: _space_of(fluent) for name, fluent in domain.state.items()})
        self.action_space = spaces.Dict({name: _space_of(fluent) for name, fluent in domain.action.items()})

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None) -> Tuple[State, Dict[str, Any]]:
        """Begins an episode. The same seed and actions give the same states."""
        if seed is not None:
            self._seeds = random.Random(seed)
            self._world.restart(seed)
        else:
            self._world.restart(self._seeds.getrandbits(63))
        self._taken = 0
        self._over = self._world.ended()
        return self._world.state(), {}

    def step(self, action: Mapping[str, Any]) -> Tuple[State, float, bool, bool, Dict[str, Any]]:
        """Acts, and returns the state, the reward, whether the episode is over, whether it is cut off, and more facts."""
        if self._over:
            raise InputError("the episode is over: reset() begins another one")
        if not isinstance(action, Mapping):
            raise TypeError(f"an action is a dictionary of variables and values, not {type(action).__name__}")
        chosen = dict(action)
        why = self._world.illegal_because(chosen)
        info: Dict[str, Any] = {"illegal": why}
        if why:
            if self._illegal == "raise":
                raise InputError(f"illegal action: {why}")
            chosen = {}
        reward = self._world.act(chosen)
        self._taken += 1
        terminated = self._world.ended()
        truncated = self._steps is not None and self._taken >= self._steps
        self._over = terminated or truncated
        info["broken_invariant"] = self._world.broken_invariant()
        info["goal"] = self._world.goal_reached()
        return self._world.state(), reward, terminated, truncated, info

    def legal(self, action: Mapping[str, Any]) -> bool:
        """Whether an action is legal in the state at hand."""
        return not self._world.illegal_because(dict(action))

    def sample_action(self) -> Dict[str, Any]:
        """A legal action at random; raises InputError where none is found."""
        action = self._world.draw_legal()
        if action is None:
            raise InputError("no action is legal in this state")
        return action

    @property
    def state(self) -> State:
        """The state at hand."""
        return self._world.state()

    def render(self) -> None:
        """There is nothing to see."""

    def close(self) -> None:
        """There is nothing to close."""


class FunctionEnvironment(_Base):  # type: ignore[misc]
    """Any Python function as the world.

        def world(state, action):
            return {"lit": state["lit"] != action["press"]}

        env = bnnplan.FunctionEnvironment(world, {"lit": False}, reward=lambda state, action, after: float(after["lit"]))
    """

    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None

    def __init__(
        self,
        world: Callable[[State, Dict[str, Any]], Any],
        initial: Any,
        *,
        reward: Optional[Callable[[State, Dict[str, Any], State], float]] = None,
        terminated: Optional[Callable[[State], bool]] = None,
        steps: Optional[int] = None,
    ):
        """Makes an environment of a function.

        Args:
            world: gets a state and an action and returns the next state, or the next state and a reward
            initial: the initial state, a dictionary, or a function that returns one and gets a random.Random
            reward: of a state, an action and the state after it; 0 if neither says
            terminated: whether an episode is over in a state
            steps: the number after which an episode is cut off
        """
        if not callable(world):
            raise TypeError("the world is a function of a state and an action")
        if not callable(initial) and not isinstance(initial, Mapping):
            raise TypeError("the initial state is a dictionary or a function that returns one")
        self._world = world
        self._initial = initial
        self._reward = reward
        self._terminated = terminated
        self._steps = steps
        self._random = random.Random(0)
        self._taken = 0
        self.state: State = {}

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None) -> Tuple[State, Dict[str, Any]]:
        """Begins an episode."""
        if seed is not None:
            self._random = random.Random(seed)
        self._taken = 0
        self.state = dict(self._initial(self._random) if callable(self._initial) else self._initial)
        return dict(self.state), {}

    def step(self, action: Mapping[str, Any]) -> Tuple[State, float, bool, bool, Dict[str, Any]]:
        """Acts, as :meth:`Environment.step` does."""
        chosen = dict(action)
        answer = self._world(dict(self.state), chosen)
        gain = 0.0
        if isinstance(answer, tuple):
            answer, gain = answer
        if not isinstance(answer, Mapping):
            raise TypeError(f"the world returned {type(answer).__name__}, expected the next state, a dictionary")
        after = dict(answer)
        if self._reward is not None:
            gain = float(self._reward(dict(self.state), chosen, dict(after)))
        self.state = after
        self._taken += 1
        over = bool(self._terminated(dict(after))) if self._terminated else False
        return dict(after), float(gain), over, self._steps is not None and self._taken >= self._steps, {}

    def render(self) -> None:
        """There is nothing to see."""

    def close(self) -> None:
        """There is nothing to close."""
