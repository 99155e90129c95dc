"""Domains in RDDL: the world itself, as far as it is written down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _core
from .arguments import named_arguments, named_arguments_of
from .errors import InputError
from .exact import BitCount
from .expression import exact_number, number_text
from .learning import Transitions
from .network import Network
from .options import bit_texts, takes_options
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


def compile_texts(
    bits: Optional[Mapping[str, BitCount]],
    precision: Precision,
    ranges: Optional[Mapping[str, Tuple[Any, Any]]],
    ignore_discount: bool,
) -> Dict[str, Any]:
    """Options of compilation that are not texts in Python."""
    return {
        "bits": bit_texts(bits),
        "precision": precision_texts(precision),
        "range": range_texts(ranges),
        "discount": "ignore" if ignore_discount else None,
    }


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

    @takes_options("compile", without=("discount",))
    def compile(
        self,
        *,
        network: Optional[Network] = None,
        ignore_discount: bool = False,
        bits: Optional[Mapping[str, BitCount]] = None,
        precision: Precision = None,
        ranges: Optional[Mapping[str, Tuple[Any, Any]]] = None,
        time_limit: Optional[float] = None,
        **options: Any,
    ) -> Problem:
        """The domain as a planning problem.

        Args:
            network: gives the next-state bits that are its outputs; the others become known transitions
            ignore_discount: plan with the sum of rewards where the instance has a discount
            bits: how many bits integers have that nothing bounds; a pair says also whether they are signed
            precision: what real fluents are multiples of: 0.1 for all, or ``{"level": 0.01}``
            ranges: of numbers for which the domain states none: ``{"level": (0, 10)}``
            time_limit: in seconds
        """
        options.update(compile_texts(bits, precision, ranges, ignore_discount))
        core = self._core.compile(
            options, None if network is None else network._core, f"{self.name}.bnn", {"time_limit": time_limit}
        )
        return Problem._of(core)

    @takes_options("simulate")
    def simulate(
        self, episodes: int = 1, steps: int = 100, *, bits: Optional[Mapping[str, BitCount]] = None, **options: Any
    ) -> Transitions:
        """Transitions of the domain as arrays of bits.

        Args:
            episodes, steps: how many episodes, of how many steps each
            bits: how many bits integers have that nothing bounds; a pair says also whether they are signed
        """
        return Transitions(*self._core.simulate({**options, "episodes": episodes, "steps": steps, "bits": bit_texts(bits)}))

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
