"""The other questions to networks: equality, monotonicity, explanations, counts, and linear properties."""

from __future__ import annotations

import os
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _core
from .arguments import named_arguments
from .errors import InputError, unless_raised
from .expression import exact_argument, exact_number
from .frames import Array
from .html import page_frame
from .network import Network
from .options import takes_options
from .questions import PathLike, class_number, fraction_or_float, input_values, own_class, picture_page

__all__ = ["equal", "monotone", "explain", "count", "ask", "Claim", "Explanation", "Count", "Answer"]


def _array(texts: List[Union[int, str]]) -> Optional[Array]:
    return np.array([fraction_or_float(text) for text in texts]) if texts else None


def _exact_or_none(value: Any) -> Optional[str]:
    return None if value is None else exact_argument("epsilon", value)


class Claim:
    """Whether something holds for all inputs, or all that are near one. As a truth value: it is proved.

    ``status`` is "proved", "refuted" (there is an input for which it does not hold) or "unknown" (a limit was reached).
    """

    def __init__(self, answer: Dict[str, Any], what: str):
        #: see above
        self.status: str = "proved" if answer["holds"] else "refuted" if answer["values"] else "unknown"
        #: the input for which it does not hold; None if none was found
        self.values: Optional[Array] = _array(answer["values"])
        #: of a question about two inputs, the other one, whose number is larger
        self.other_values: Optional[Array] = _array(answer["other_values"])
        #: the scores of both sides there
        self.scores: Optional[Array] = _array(answer["scores"])
        self.other_scores: Optional[Array] = _array(answer["other_scores"])
        #: how far that is from the input that was given, exactly; with l2 the square
        self.distance: Optional[Fraction] = Fraction(answer["distance"]) if answer["values"] else None
        #: who decided it
        self.decided_by: str = answer["decided_by"]
        self._what = what

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __repr__(self) -> str:
        return f"<Claim {self._what}: {self.status}>"


def _region(network: Network, x: Any) -> Optional[List[str]]:
    return None if x is None else input_values(network, x)[0]


@named_arguments
@takes_options("verify")
def equal(
    first: Network,
    second: Network,
    x: Any = None,
    *,
    by: str = "classes",
    norm: str = "linf",
    epsilon: Any = None,
    **options: Any,
) -> Claim:
    """Asks whether two networks give the same answers: on all inputs, or near one.

    Args:
        x: an input, as for :func:`verify`; all inputs if not given
        by: what has to be the same: "classes", or "scores", every score or output bit
        norm, epsilon: with x: no farther than this; without epsilon the nearest input is asked for
    """
    for network in (first, second):
        if not isinstance(network, Network):
            raise TypeError(f"expected a Network, not {type(network).__name__}")
    answer = _core.equal(
        first._core, second._core, by, _region(first, x), norm, _exact_or_none(epsilon), options,
    )  # fmt: skip
    return unless_raised(Claim(answer, f"the {by} are the same"), answer["raised"])


def _number_of(names: List[str], given: Any, what: str) -> int:
    if isinstance(given, str):
        if given not in names:
            raise InputError(f"the network has no {what} '{given}'")
        return names.index(given)
    number = int(exact_number(given))
    if number != given or not 0 <= number < len(names):
        raise InputError(f"{what} is {given!r}, expected a name, or a number from 0 to {len(names) - 1}")
    return number


@named_arguments
@takes_options("verify")
def monotone(
    network: Network,
    input: Union[int, str],
    output: Union[int, str],
    x: Any = None,
    *,
    increasing: bool = True,
    by: str = "score",
    norm: str = "linf",
    epsilon: Any = None,
    **options: Any,
) -> Claim:
    """Asks whether an output goes one way only when an input grows, whatever the others are.

    Args:
        input, output: by name or number
        x: an input; then only others near it count
        increasing: the output grows, or at least does not fall; False for the other way
        by: "score", or "class": once the output is the network's answer, it stays so
        norm, epsilon: with x: no farther than this
    """
    if not isinstance(network, Network):
        raise TypeError(f"expected a Network, not {type(network).__name__}")
    if by not in ("score", "class"):
        raise InputError("by is score or class")
    if by == "class" and not network.is_classifier:
        raise InputError("the network is not a classifier")
    places = _number_of(network.inputs, input, "input"), _number_of(network.outputs, output, "output")
    answer = _core.monotone(
        network._core, *places, bool(increasing), by == "class", _region(network, x), norm, _exact_or_none(epsilon), options,
    )  # fmt: skip
    way = "rises" if increasing else "falls"
    return unless_raised(Claim(answer, f"{network.outputs[places[1]]} {way} with {network.inputs[places[0]]}"), answer["raised"])


class Explanation:
    """Inputs that fix a class: whatever the others are, the class is the same. As a truth value: one was found."""

    def __init__(self, answer: Dict[str, Any], network: Network, values: List[str], shape: Optional[Tuple[int, int]]):
        #: their numbers, ascending; None if a limit was reached before there were any
        self.inputs: Optional[List[int]] = list(answer["inputs"]) if answer["found"] else None
        #: none of them can be left out; proved
        self.is_minimal: bool = answer["is_minimal"]
        #: no explanation has fewer; proved
        self.is_smallest: bool = answer["is_smallest"]
        #: every explanation has at least this number of inputs
        self.at_least: int = answer["at_least"]
        self._asked = (network, values, shape)

    @property
    def names(self) -> List[str]:
        """The names of these inputs."""
        names = self._asked[0].inputs
        return [names[i] for i in self.inputs or []]

    def page(self) -> str:
        """A page with the input and the inputs that fix its class marked. Raises InputError if it is not a picture."""
        network, values, shape = self._asked
        return picture_page(network, shape, values, [], [], [], self.inputs or [], repr(self))

    def __bool__(self) -> bool:
        return self.inputs is not None

    def __len__(self) -> int:
        return len(self.inputs or [])

    def __repr__(self) -> str:
        if self.inputs is None:
            return "<Explanation: none was found within the limits>"
        proved = "smallest" if self.is_smallest else "minimal" if self.is_minimal else f"at least {self.at_least} are needed"
        return f"<Explanation of {len(self.inputs)} inputs, {proved}>"

    def _repr_html_(self) -> str:
        return escape(repr(self)) if self._asked[2] is None or not self else page_frame(self.page(), 420)


@named_arguments
@takes_options("verify", without=("proof", "proof_version"))
def explain(
    network: Network,
    x: Any,
    *,
    kind: str = "minimal",
    epsilon: Any = None,
    ties: str = "network",
    progress: Optional[Callable[[int, int], object]] = None,
    **options: Any,
) -> Explanation:
    """Asks which inputs fix the class of an input.

    Args:
        x: the input, as for :func:`verify`
        kind: "minimal": none can be left out; "smallest": no set has fewer
        epsilon: the others change by no more than this; by anything if not given
        ties: as for :func:`verify`
        progress: called with the size of the best set so far, and how many are needed at least
    """
    values, shape = input_values(network, x)
    answer = _core.explain(
        network._core, values, own_class(network, values), kind, _exact_or_none(epsilon), ties, options, progress,
    )  # fmt: skip
    return unless_raised(Explanation(answer, network, values, shape), answer["raised"])


class Count:
    """How many inputs are classified otherwise: from ``lower`` to ``upper``, of ``total``; both are the same if ``exact``."""

    def __init__(self, answer: Dict[str, Any]):
        #: see above
        self.lower: int = int(answer["lower"])
        self.upper: int = int(answer["upper"])
        self.total: int = int(answer["total"])
        self.exact: bool = answer["status"] == "exact"
        #: who decided it
        self.decided_by: str = answer.get("decided_by", "")

    def __repr__(self) -> str:
        known = str(self.lower) if self.exact else f"{self.lower} to {self.upper}"
        return f"<Count {known} of {self.total}>"


@named_arguments
@takes_options("verify", without=("proof", "proof_version"))
def count(
    network: Network,
    x: Any,
    epsilon: Any,
    label: Any = None,
    *,
    target: Any = None,
    norm: str = "linf",
    ties: str = "label-loses",
    what: str = "patterns",
    **options: Any,
) -> Count:
    """Counts what is classified otherwise within a distance of an input.

    Args:
        x, label, target, norm, ties: as for :func:`verify`
        epsilon: the distance
        what: "patterns" of the bits that the network sees, or "values": inputs
    """
    values, _ = input_values(network, x)
    number = own_class(network, values) if label is None else class_number(network, label, "label")
    answer = _core.count(
        network._core, values, number, None if target is None else class_number(network, target, "target"), norm,
        exact_argument("epsilon", epsilon), ties, what, options,
    )  # fmt: skip
    return unless_raised(Count(answer), answer["raised"])


class Answer:
    """The answer to a linear question. As a truth value: whether an input was found.

    ``status``: of a claim (``prove``) "proved", "refuted" or "unknown"; otherwise "found", "best" (found, and nothing is better,
    where something is minimized), "none" (proved that there is none) or "unknown".
    """

    def __init__(self, answer: Dict[str, Any]):
        #: see above
        self.status: str = "best" if answer["status"] == "optimal" else answer["status"]
        #: the input that was found, and the network's outputs there: scores, or bits
        self.values: Optional[Array] = _array(answer.get("input", []))
        self.outputs: Optional[Array] = _array(answer.get("outputs", []))
        #: the value of what is minimized or maximized, and the bound that is proved of it
        self.value: Optional[Fraction] = Fraction(answer["value"]) if "value" in answer else None
        self.bound: Optional[Fraction] = Fraction(answer["bound"]) if "bound" in answer else None
        #: of a question in VNN-LIB: the answer as VNN-COMP asks for it
        self.vnnlib: Optional[str] = answer.get("vnnlib")
        #: who decided it
        self.decided_by: str = answer.get("decided_by", "")

    def __bool__(self) -> bool:
        return self.values is not None

    def __repr__(self) -> str:
        return f"<Answer {self.status}{'' if self.value is None else f', value {self.value}'}>"


@named_arguments
@takes_options("verify")
def ask(
    network: Network,
    question: Optional[PathLike] = None,
    *,
    text: Optional[str] = None,
    vnnlib: Optional[bool] = None,
    **options: Any,
) -> Answer:
    """Asks about any linear property of inputs and outputs.

        bnnplan.ask(network, text='prove = ["score[7] > score[3]"]\\nassume = ["x1 + x2 <= 100"]')

    Args:
        question: a file: TOML (docs/verify.md), or VNN-LIB 1.0 or 2.0 (.vnnlib, also packed)
        text: the same as text; files that it names are looked for in this folder
        vnnlib: whether it is VNN-LIB; the name of the file says so if not given
    """
    if not isinstance(network, Network):
        raise TypeError(f"expected a Network, not {type(network).__name__}")
    if (question is None) == (text is None):
        raise InputError("a question is a file or a text, one of them")
    name = "the question" if question is None else os.fspath(question)
    if question is not None:
        text = _core.read_text(Path(question))
    if vnnlib is None:
        vnnlib = str(name).endswith((".vnnlib", ".vnnlib.gz", ".vnnlib.xz"))
    answer = _core.ask(
        network._core, text or "", Path(name), bool(vnnlib), options
    )
    return unless_raised(Answer(answer), answer["raised"])
