"""Domains in RDDL: the world itself, as far as somebody has written it down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from .arguments import named_arguments, named_arguments_of
from .errors import InputError
from .exact import BitCount, bit_counts
from .expression import exact_number, number_text
from .learning import Transitions
from .network import Network
from .problem import Problem

__all__ = ["load", "Domain", "Fluent"]

PathLike = Union[str, "os.PathLike[str]"]


#: what real fluents are multiples of: one number for all, or numbers by name
Precision = Union[None, float, Mapping[str, Any]]


def decimal_text(value: Any) -> str:
    return number_text(exact_number(value))


def precision_texts(precision: Precision) -> List[str]:
    if precision is None:
        return []
    if isinstance(precision, Mapping):
        return [f"{name}={decimal_text(value)}" for name, value in precision.items()]
    return [decimal_text(precision)]


def range_texts(ranges: Optional[Mapping[str, Tuple[Any, Any]]]) -> List[str]:
    texts = []
    for name, pair in dict(ranges or {}).items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise InputError(f"the range of '{name}' is {pair!r}, expected a pair (low, high)")
        texts.append(f"{name}={decimal_text(pair[0])}..{decimal_text(pair[1])}")
    return texts


class Fluent(NamedTuple):
    """A variable of a domain. ``kind`` is "bool", "int", "real" or "object"; low and high are None where no range is known."""

    name: str
    fluent: str
    arguments: List[str]
    kind: str
    initial: Any
    low: Optional[int]
    high: Optional[int]


@named_arguments
def load(domain: PathLike, instance: PathLike, name: str = "") -> "Domain":
    """Reads a domain and an instance: the one of this name, or the only one of the file."""
    return Domain(domain, instance, name)


@named_arguments_of
class Domain:
    """A domain and an instance of it."""

    def __init__(self, domain: PathLike, instance: PathLike, name: str = ""):
        self._core = _core.Domain.load(Path(domain), Path(instance), name)

    def __copy__(self) -> "Domain":
        return self  # nothing about it changes

    def __deepcopy__(self, memo: Any) -> "Domain":
        return self

    @property
    def name(self) -> str:
        """The name of the instance."""
        return self._core.instance_name

    @property
    def horizon(self) -> Optional[int]:
        """The steps of an episode; None if the instance does not say."""
        return self._core.horizon or None

    @property
    def discount(self) -> float:
        """What the reward of a step is worth a step later."""
        return self._core.discount

    @property
    def is_random(self) -> bool:
        """Whether states or rewards are drawn at random."""
        return self._core.is_random

    @property
    def state(self) -> Dict[str, Fluent]:
        """The state variables by name, with their initial values."""
        return {fluent[0]: Fluent(*fluent) for fluent in self._core.state_variables()}

    @property
    def action(self) -> Dict[str, Fluent]:
        """The action variables by name; the initial value is the default."""
        return {fluent[0]: Fluent(*fluent) for fluent in self._core.action_variables()}

    def compile(
        self,
        *,
        network: Optional[Network] = None,
        horizon: Optional[int] = None,
        determinize: str = "",
        ignore_discount: bool = False,
        goals: Sequence[str] = (),
        bits: Optional[Mapping[str, BitCount]] = None,
        precision: Precision = None,
        ranges: Optional[Mapping[str, Tuple[Any, Any]]] = None,
        reachable_ranges: bool = False,
        time_limit: Optional[float] = None,
    ) -> Problem:
        """The domain as a planning problem.

        Args:
            network: gives the next-state bits that are its outputs; the others become known transitions
            horizon: instead of that of the instance
            determinize: what planning takes for a random outcome: "most-likely", "mean", "threshold=P", "sample=SEED" or
                "hindsight=N"
            ignore_discount: plan with the sum of rewards where the instance has a discount
            goals: conditions on the last state, in RDDL
            bits: how many bits integers have that nothing bounds; a pair says also whether they are signed
            precision: what real fluents are multiples of: 0.1 for all, or ``{"level": 0.01}``
            ranges: of numbers for which the domain states none: ``{"level": (0, 10)}``
            reachable_ranges: give integers that nothing bounds the range that the horizon can reach
        """
        core = self._core.compile(
            determinize,
            ignore_discount,
            list(goals),
            bit_counts(bits),
            precision_texts(precision),
            range_texts(ranges),
            horizon,
            reachable_ranges,
            None if network is None else network._core,
            f"{self.name}.bnn",
            time_limit,
        )
        return Problem._of(core)

    def simulate(
        self,
        episodes: int = 1,
        steps: int = 100,
        *,
        seed: int = 0,
        policy: str = "uniform",
        start: str = "initial",
        exhaustive: bool = False,
        unique: bool = False,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        bits: Optional[Mapping[str, BitCount]] = None,
    ) -> Transitions:
        """Transitions of the domain as arrays of bits.

        Args:
            episodes, steps: how many, of so many steps each
            policy: "uniform": every legal joint action with the same probability; "random": every action variable at random
            start: "initial" or "anywhere"
            exhaustive: all legal pairs of state and action instead of episodes
            unique: equal transitions once
            inputs, outputs: only these fluents before and after the step
            bits: how many bits integers have that nothing bounds; a pair says also whether they are signed
        """
        return Transitions(
            *self._core.simulate(
                episodes, steps, seed, policy, start, exhaustive, unique, list(inputs), list(outputs), bit_counts(bits)
            )
        )

    def environment(self, **options: Any) -> Any:
        """An environment in the style of Gymnasium: see :class:`bnnplan.Environment`."""
        from .environment import Environment

        return Environment(self, **options)

    def __repr__(self) -> str:
        counts = f"{len(self._core.state_variables())} state and {len(self._core.action_variables())} action variables"
        return f"<Domain {self._core.domain_name}, instance {self.name}: {counts}, horizon {self.horizon}>"


def require_domain(value: Any) -> Domain:
    if not isinstance(value, Domain):
        raise InputError(f"expected a domain, as rddl.load returns it, not {type(value).__name__}")
    return value
