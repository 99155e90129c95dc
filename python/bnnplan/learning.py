"""Learning networks from transitions."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import named_arguments
from .errors import InputError, unless_raised
from .exact import BitCount, bit_counts
from .frames import Array, in_order, names_of
from .network import Network, bit_array
from .options import takes_options
from .progress import Bar, Wanted, bar_wanted, check_wanted

__all__ = ["learn", "read_transitions", "Transitions", "Learned", "Epoch", "Errors", "Tried"]

Arrays = Tuple[Array, Array, List[str], List[str]]

PathLike = Union[str, "os.PathLike[str]"]


class Transitions(NamedTuple):
    """Rows of bits before a step (X: state and action) and after it (Y), and the names of the columns."""

    X: Array
    Y: Array
    inputs: List[str]
    outputs: List[str]

    def to_pandas(self) -> Any:
        """One pandas DataFrame with all columns."""
        import pandas

        return pandas.DataFrame(np.hstack([self.X, self.Y]), columns=[*self.inputs, *self.outputs])


class Epoch(NamedTuple):
    """How the network stood after an epoch; errors are shares of transitions with a wrong bit."""

    restart: int
    epoch: int
    loss: float
    train_error: float
    test_error: float
    density: float
    seconds: float
    best: bool


class Errors(NamedTuple):
    """How often a network is wrong."""

    samples: int
    wrong_transitions: int
    bits: int
    wrong_bits: int


class Tried(NamedTuple):
    """A way to learn that was tried, and how its network did; ``shape`` is "" if it gave none."""

    how: str
    shape: str
    train: Errors
    validation: Errors
    weights: int
    seconds: float


def errors_of(fields: Dict[str, Any]) -> Errors:
    return Errors(*(fields[name] for name in Errors._fields))


def _tried(way: Dict[str, Any]) -> Tried:
    return Tried(**way)._replace(train=errors_of(way["train"]), validation=errors_of(way["validation"]))


class Learned:
    """A network, and how it came about."""

    def __init__(self, answer: Dict[str, Any]):
        #: the best network; its file says what it was learned from and what its errors are (``network.record``)
        self.network: Network = Network._of(answer["network"])
        #: its errors by part: "train", "test", "unseen", which is what of the test part is not in training, and, if they were
        #: given, "also" and "evaluate" (of ``measure``)
        self.errors: Dict[str, Errors] = {part: errors_of(of_part) for part, of_part in answer["errors"].items()}
        #: how it was learned: "cover, few inputs", ...
        self.how: str = answer["how"]
        #: the ways that were tried, in order, where something was left to choose
        self.tried: List[Tried] = [_tried(way) for way in answer["tried"]]
        #: where it is wrong and what to try; "" if nothing is wrong
        self.diagnosis: str = answer["diagnosis"]
        #: every epoch of the last training; empty if it was not trained by gradients
        self.history: List[Epoch] = [Epoch(**record) for record in answer["history"]]
        #: how long it took
        self.seconds: float = answer["seconds"]
        #: transitions given, distinct ones, and those that contradict others
        self.lines: int = answer["lines"]
        self.distinct_rows: int = answer["distinct_transitions"]
        self.contradictions: int = answer["contradictory_lines"]
        self._curve: str = answer["curve"]

    def __repr__(self) -> str:
        train, test = self.errors["train"], self.errors["test"]
        return (
            f"<Learned {self.network._core.shape()}: wrong on {train.wrong_transitions} of {train.samples} trained and "
            f"{test.wrong_transitions} of {test.samples} tested transitions, {self.seconds:.1f} s>"
        )

    def _repr_html_(self) -> str:
        text = "\n".join(part for part in (repr(self), self.diagnosis) if part)
        return self._curve + f"<pre>{escape(text)}</pre>"


@named_arguments
def read_transitions(path: PathLike, bits: Optional[Mapping[str, BitCount]] = None) -> Transitions:
    """Reads a data set (CSV) as `bnnplan simulate` writes it; ``bits`` says of integer columns how many bits they have.

    A value of ``bits`` is a number, or a pair of it and whether the integer is signed.
    """
    return Transitions(*_core.read_data_set(Path(path), bit_counts(bits)))


def _named_bits(values: Any, what: str, names: Optional[Sequence[str]], prefix: str, suffix: str) -> Tuple[Array, List[str]]:
    """Rows of bits and the names of their columns: those given, in that order, or their own, or made-up ones.

    The names of what comes after a step end in ', which columns of a frame may leave out.
    """
    own = names_of(values, what)
    if own is not None:
        ending = [name if name.endswith(suffix) else name + suffix for name in own]
        if ending != own:
            values = values.set_axis(ending, axis=1)
        if names is not None:
            values = in_order(values, list(names), what)
        else:
            names = ending
    bits = bit_array(values, what)
    return bits, [f"{prefix}{i}{suffix}" for i in range(bits.shape[1])] if names is None else list(names)


def arrays_of(X: Any, Y: Any = None, inputs: Optional[Sequence[str]] = None, outputs: Optional[Sequence[str]] = None) -> Arrays:
    """Transitions as the C++ side takes them: arrays of bytes, and the names of their columns."""
    if isinstance(X, Transitions):
        if Y is not None:
            raise InputError("Transitions have X and Y in them: there is no other Y")
        inputs = X.inputs if inputs is None else inputs
        outputs = X.outputs if outputs is None else outputs
        X, Y = X.X, X.Y
    if Y is None:
        raise InputError("expected Y, what the network is to give for X")
    before, input_names = _named_bits(X, "X", inputs, "x", "")
    after, output_names = _named_bits(Y, "Y", outputs, "y", "'")
    return before, after, input_names, output_names


def _more(given: Any, inputs: Optional[Sequence[str]], outputs: Optional[Sequence[str]], what: str) -> Optional[Arrays]:
    """More transitions, with the names of the first ones if they are a pair of arrays."""
    if given is None:
        return None
    if isinstance(given, Transitions):
        return arrays_of(given)
    if not isinstance(given, tuple) or len(given) != 2:
        raise InputError(f"{what} is Transitions, or a pair of arrays")
    return arrays_of(given[0], given[1], inputs, outputs)


@named_arguments
@takes_options("learn")
def learn(
    X: Any,
    Y: Any = None,
    *,
    inputs: Optional[Sequence[str]] = None,
    outputs: Optional[Sequence[str]] = None,
    also: Any = None,
    measure: Any = None,
    progress: Wanted = None,
    **options: Any,
) -> Learned:
    """Learns a network that gives Y for X.

    Without ``hidden`` everything is chosen: ways to learn are tried, small networks first, until one makes no error on a
    validation part that it is not trained on.

    Args:
        X: rows of 0 and 1: an array of any kind of number or bool, or a pandas frame; or :class:`Transitions`, then without Y
        Y: as many rows, what the network is to give
        inputs: the names of the columns of X; if not given, those of the frame, or x0, x1, ... Of a frame, the columns of
            these names in this order are taken
        outputs: those of Y, which end in ' (those of a frame may lack that); y0', y1', ... if not given
        also: more transitions to train on, never used for the test: :class:`Transitions`, or a pair of arrays
        measure: others to report the errors on
        progress: a function that is called with each :class:`Epoch` and each :class:`Tried`; True for a bar, False for none,
            None for a bar in a terminal or notebook
    Raises:
        Interrupted: a KeyboardInterrupt after Ctrl-C, with what was learned so far
    """
    arrays = arrays_of(X, Y, inputs, outputs)
    check_wanted(progress)
    bar = Bar() if bar_wanted(progress) else None
    told: Optional[Callable[..., None]] = None
    tried: Optional[Callable[..., None]] = None
    if callable(progress):
        call = progress

        def told(record: Dict[str, Any]) -> None:
            call(Epoch(**record))

        def tried(way: Dict[str, Any]) -> None:
            call(_tried(way))

    elif bar is not None:
        line = bar
        epochs = options.get("epochs") or 200
        share = epochs * (options.get("restarts") or 1) if options.get("hidden") else None

        def told(record: Dict[str, Any]) -> None:
            epoch = Epoch(**record)
            done = (epoch.restart - 1) * epochs + epoch.epoch
            line.show(
                epoch.seconds,
                f"epoch {epoch.epoch}  loss {epoch.loss:.4f}  train error {100 * epoch.train_error:.2f} %",
                None if share is None else done / share,
            )

    try:
        answer, raised = _core.learn(
            arrays, options, _more(also, arrays[2], arrays[3], "also"), _more(measure, arrays[2], arrays[3], "measure"), told, tried
        )
    finally:
        if bar is not None:
            bar.close()
    return unless_raised(Learned(answer), raised)
