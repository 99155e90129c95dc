"""Questions without a planning problem: verifying classifiers, and MaxSAT."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import named_arguments
from .errors import InputError, unless_raised
from .expression import exact_argument, exact_number
from .frames import Array, in_order, plain_array
from .html import page_frame
from .network import Network
from .options import takes_options

__all__ = ["verify", "Verification", "maxsat", "MaxSatResult", "pseudo_boolean", "PseudoBooleanResult"]

PathLike = Union[str, "os.PathLike[str]"]


def fraction_or_float(number: Union[int, str]) -> float:
    return float(Fraction(number))


class Verification:
    """How near to an input a network errs.

    ``status``: "nearest" (an input that is classified otherwise, and none is nearer), "found" (one, perhaps not the nearest),
    "robust" or "none" (proved that there is none), "unknown" (a limit was reached). As a truth value: whether an input was found.
    """

    def __init__(self, answer: Dict[str, Any], network: Network, label: int, values: List[str], shape: Optional[Tuple[int, int]]):
        #: see above
        self.status: str = answer["status"]
        #: whether the answer is proved
        self.proved: bool = answer["proved"]
        #: the input that is classified otherwise; None if none was found
        self.values: Optional[Array] = (
            np.array([fraction_or_float(text) for text in answer["values"]]) if answer["found"] else None
        )
        #: its distance, exactly; with l2 its square
        self.distance: Optional[Fraction] = Fraction(answer["distance"]) if answer["found"] else None
        #: nothing nearer is classified otherwise; proved
        self.lower_bound: Fraction = Fraction(answer["lower_bound"])
        #: the class of the input found
        self.changed_class: Optional[int] = answer["changed_class"] if answer["found"] else None
        #: the scores of the input, and of the input found
        self.scores: Array = np.array([fraction_or_float(text) for text in answer["scores"]])
        self.changed_scores: Array = np.array([fraction_or_float(text) for text in answer["changed_scores"]])
        #: who decided it: "local search", "first layer", "enumeration", "solver"
        self.decided_by: str = answer["decided_by"]
        self._classes = network.outputs
        self._label = label
        self._asked = (network, values, answer)
        self._shape = shape

    def __bool__(self) -> bool:
        return self.values is not None

    def __repr__(self) -> str:
        if self.values is None:
            return f"<Verification {self.status}: class {self._classes[self._label]}, nothing nearer than {self.lower_bound}>"
        return (
            f"<Verification {self.status}: class {self._classes[self._label]} becomes "
            f"{self._classes[self.changed_class or 0]} at distance {self.distance}>"
        )


    def page(self) -> str:
        """A page with the input, the changed input, the difference and all scores. Raises InputError if it is not a picture."""
        network, values, answer = self._asked
        scores = [str(score) for score in answer["scores"]]
        return picture_page(
            network, self._shape, values, answer["values"], scores, answer["changed_scores"], None, repr(self)
        )

    def _repr_html_(self) -> str:
        return escape(repr(self)) if self._shape is None else page_frame(self.page(), 420)


def picture_page(
    network: Network,
    shape: Optional[Tuple[int, int]],
    values: List[str],
    changed: List[str],
    scores: List[str],
    changed_scores: List[str],
    explained: Optional[List[int]],
    text: str,
) -> str:
    """The page of an answer about a picture with this number of rows and columns."""
    if shape is None:
        raise InputError(f"the {len(values)} inputs of the network are not a picture: give x as an array of rows and columns")
    height, width = shape
    return _core.picture_page(
        network._core, width, height, values, changed, scores, changed_scores, explained, "A network asked by bnnplan", text
    )


def input_values(network: Network, x: Any) -> Tuple[List[str], Optional[Tuple[int, int]]]:
    """The numbers of an input, exactly, and its rows and columns if it is a picture."""
    if not isinstance(network, Network):
        raise TypeError(f"expected a Network, not {type(network).__name__}")
    shape: Optional[Tuple[int, int]] = None
    if isinstance(x, (str, os.PathLike)):
        values = list(_core.read_input_values(Path(x), network._core))
    else:
        array = plain_array(in_order(x, network.inputs, "x"), "x")
        if array.dtype.kind not in "iufb":
            raise InputError(f"an input of the kind {array.dtype}, expected numbers")
        values = [str(exact_number(value)) for value in array.ravel().tolist()]
        if array.ndim == 2 and min(array.shape) > 1:
            shape = (array.shape[0], array.shape[1])
    if len(values) != len(network.inputs):
        raise InputError(f"the input has {len(values)} values, expected {len(network.inputs)}")
    side = math.isqrt(len(values))
    if shape is None and side > 1 and side * side == len(values):
        shape = (side, side)
    return values, shape


def own_class(network: Network, values: List[str]) -> int:
    """The network's own answer."""
    if not network.is_classifier:
        raise InputError("the network is not a classifier")
    return int(network(np.array([fraction_or_float(value) for value in values])))


def class_number(network: Network, given: Any, what: str) -> int:
    if isinstance(given, str):
        if given not in network.outputs:
            raise InputError(f"{what} '{given}' is not a class of the network")
        return network.outputs.index(given)
    number = int(exact_number(given))
    if number != given or number < 0:
        raise InputError(f"{what} is {given!r}, expected the name or the number of a class")
    return number


@named_arguments
@takes_options("verify")
def verify(
    network: Network,
    x: Any,
    label: Any = None,
    *,
    target: Any = None,
    norm: str = "l0",
    epsilon: Any = None,
    ties: str = "label-loses",
    progress: Optional[Callable[[str, Optional[str]], object]] = None,
    **options: Any,
) -> Verification:
    """Asks how near to an input there is one that a classifier takes for another class.

    Args:
        network: a classifier
        x: the input: an array of numbers, or a file (.png, .npy, text)
        label: the class it should have, by number or name; the network's own answer if not given
        target: the class that it should be taken for; any other if not given
        norm: "l0", "l1", "l2" or "linf"
        epsilon: is there one no farther than this? Otherwise: how far is the nearest?
        ties: "label-loses": another score as high is enough; "network": the network's answer has to be another one
        progress: called with a lower and an upper bound on the distance, exact numbers as texts
    Raises:
        Interrupted: a KeyboardInterrupt after Ctrl-C, with what is known so far; all questions do so
    """
    values, shape = input_values(network, x)
    if label is None:
        label = own_class(network, values)
    number = class_number(network, label, "label")
    answer = _core.verify(
        network._core,
        values,
        number,
        None if target is None else class_number(network, target, "target"),
        norm,
        None if epsilon is None else exact_argument("epsilon", epsilon),
        ties,
        options,
        progress,
    )
    return unless_raised(Verification(answer, network, number, values, shape), answer["raised"])


class MaxSatResult:
    """The answer of the MaxSAT solver: status "optimal", "satisfiable", "unsatisfiable" or "unknown"."""

    def __init__(self, answer: Dict[str, Any]):
        #: see above
        self.status: str = answer["status"]
        #: the weights of the soft clauses that the model falsifies
        self.cost: Optional[int] = answer["cost"]
        #: no model costs less; proved
        self.lower_bound: int = answer["lower_bound"]
        #: the value of each variable; variable v of the formula is at v - 1
        self.model: Optional[Array] = answer["model"]
        #: how much work it was
        self.conflicts: int = answer["conflicts"]
        self.cores: int = answer["cores"]
        #: whether a proof of the answer was written, and why not, if one was wanted
        self.proof_written: bool = answer["proof_written"]
        self.no_proof: str = answer["no_proof"]

    def __bool__(self) -> bool:
        return self.model is not None

    def __repr__(self) -> str:
        return f"<MaxSatResult {self.status}, cost {self.cost}>"


@named_arguments
@takes_options("maxsat")
def maxsat(
    formula: Optional[PathLike] = None,
    *,
    text: Optional[str] = None,
    hard: Iterable[Sequence[int]] = (),
    soft: Iterable[Tuple[Sequence[int], int]] = (),
    **options: Any,
) -> MaxSatResult:
    """Solves a weighted partial MaxSAT formula.

    Args:
        formula: a file: WCNF of 2022, classic WCNF or CNF, also packed
        text: the same as text
        hard: clauses to satisfy, in place of a file: lists of literals, v or -v for the negation
        soft: pairs of a clause and what it costs not to satisfy it

    A ``proof`` is about a file or a text, which `bnnplan check-proof` can read.
    """
    hard, soft = list(hard), list(soft)
    if (formula is not None) + (text is not None) + bool(hard or soft) > 1:
        raise InputError("a formula is a file, a text or lists of clauses, one of them")
    name = "the formula" if formula is None else os.fspath(formula)
    if options.get("proof") and formula is not None:
        text = _core.read_text(Path(formula))
    if text is not None:
        core = _core.Wcnf.parse(text, name)
    elif formula is not None:
        core = _core.Wcnf.read(Path(formula))
    elif options.get("proof"):
        raise InputError("proof= is about a file or a text: expected no lists of clauses")
    else:
        core = _core.Wcnf()
        for clause in hard:
            core.add_hard(list(clause))
        for clause, weight in soft:
            core.add_soft(list(clause), weight)
    answer = core.solve(text or "", name, options)
    return unless_raised(MaxSatResult(answer), answer["raised"])


class PseudoBooleanResult:
    """The answer of the pseudo-Boolean solver: status "optimal", "satisfiable", "unsatisfiable" or "unknown"."""

    def __init__(self, answer: Dict[str, Any]):
        #: see above
        self.status: str = answer["status"]
        #: of the objective; 0 without one
        self.value: Optional[int] = answer["value"]
        #: no solution has a lesser value; proved
        self.lower_bound: Optional[int] = answer["lower_bound"]
        #: the value of each variable; x1 is at 0
        self.model: Optional[Array] = answer["model"]
        #: how much work it was, and how many neurons were recognised
        self.conflicts: int = answer["conflicts"]
        self.neurons: int = answer["neurons"]

    def __bool__(self) -> bool:
        return self.model is not None

    def __repr__(self) -> str:
        return f"<PseudoBooleanResult {self.status}, value {self.value}>"


@named_arguments
@takes_options("pb")
def pseudo_boolean(
    formula: Optional[PathLike] = None,
    *,
    text: Optional[str] = None,
    **options: Any,
) -> PseudoBooleanResult:
    """Minimizes a pseudo-Boolean formula in OPB, as in the competitions: a file, also packed, or its text."""
    if (formula is None) == (text is None):
        raise InputError("a formula is a file or a text, one of them")
    name = "the formula" if formula is None else os.fspath(formula)
    if formula is not None:
        text = _core.read_text(Path(formula))
    answer = _core.pseudo_boolean(text or "", name, options)
    return unless_raised(PseudoBooleanResult(answer), answer["raised"])
