"""Learning networks from transitions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .errors import InputError, Interrupted
from .exact import BitCount, bit_counts
from .network import Network, bit_array
from .progress import Bar, Wanted, bar_wanted, check_wanted

__all__ = ["learn", "read_transitions", "Transitions", "Learned", "Epoch", "Errors"]

PathLike = Union[str, "os.PathLike[str]"]


class Transitions(NamedTuple):
    """Rows of bits before a step (X: state and action) and after it (Y), and the names of the columns."""

    X: np.ndarray
    Y: np.ndarray
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


class Learned:
    """A network, and how it came about."""

    def __init__(self, answer: Dict[str, Any]):
        #: the best network: fewest wrong training transitions, then fewest weights
        self.network: Network = Network._of(answer["network"])
        #: its errors by part: "train", "test", and "unseen", which is what of the test part is not in training
        self.errors: Dict[str, Errors] = {part: Errors(**of_part) for part, of_part in answer["errors"].items()}
        #: every epoch
        self.history: List[Epoch] = [Epoch(*record) for record in answer["history"]]
        #: how long it took
        self.seconds: float = answer["seconds"]
        #: transitions given, distinct ones, and those that contradict others
        self.lines: int = answer["lines"]
        self.distinct_rows: int = answer["distinct_rows"]
        self.contradictions: int = answer["contradictions"]
        self._curve: str = answer["curve"]

    def __repr__(self) -> str:
        train, test = self.errors["train"], self.errors["test"]
        return (
            f"<Learned {self.network._core.shape()}: wrong on {train.wrong_transitions} of {train.samples} trained and "
            f"{test.wrong_transitions} of {test.samples} tested transitions, {self.seconds:.1f} s>"
        )

    def _repr_html_(self) -> str:
        return self._curve


def read_transitions(path: PathLike, bits: Optional[Mapping[str, BitCount]] = None) -> Transitions:
    """Reads a data set (CSV) as `bnnplan simulate` writes it; ``bits`` says of integer columns how many bits they have.

    A value of ``bits`` is a number, or a pair of it and whether the integer is signed.
    """
    return Transitions(*_core.read_data_set(Path(path), bit_counts(bits)))


def learn(
    X: Any,
    Y: Any = None,
    *,
    hidden: Sequence[int] = (64,),
    inputs: Optional[Sequence[str]] = None,
    outputs: Optional[Sequence[str]] = None,
    epochs: int = 200,
    restarts: int = 1,
    seed: int = 0,
    stop_at_zero: bool = False,
    sparse: bool = False,
    density: float = 0.1,
    batch: int = 256,
    rate: float = 0.03,
    threads: int = 0,
    test_share: float = 0.1,
    distinct: bool = False,
    progress: Wanted = None,
) -> Learned:
    """Learns a network that gives Y for X.

    Args:
        X: rows of 0 and 1, an array of any kind of number or bool; or :class:`Transitions`, then without Y
        Y: as many rows, what the network shall give
        hidden: the widths of the hidden layers
        inputs: the names of the columns of X; x0, x1, ... if not given
        outputs: those of Y, which end in '; y0', y1', ... if not given
        epochs: passes over the data, of each restart
        restarts: runs with other first weights; the best network wins
        seed: the same seed gives the same network
        stop_at_zero: end when no training transition is wrong
        sparse: weights may be 0, with this density at the start, and are pruned as long as the errors do not grow
        batch: rows per update
        rate: of learning, at the start
        threads: 0 for all of the machine; the network does not depend on it
        test_share: of the rows, kept out of training
        distinct: train on every distinct transition once
        progress: a function that is called with each :class:`Epoch`; True for a bar, False for none, None for a bar in a
            terminal or notebook
    Raises:
        Interrupted: a KeyboardInterrupt after Ctrl-C, with what was learned so far
    """
    if isinstance(X, Transitions):
        if Y is not None:
            raise InputError("Transitions have X and Y in them: there is no other Y")
        X, Y = X._replace(), X.Y
        inputs = X.inputs if inputs is None else inputs
        outputs = X.outputs if outputs is None else outputs
        X = X.X
    if Y is None:
        raise InputError("expected Y, what the network shall give for X")
    before, after = bit_array(X, "X"), bit_array(Y, "Y")
    input_names = [f"x{i}" for i in range(before.shape[1])] if inputs is None else list(inputs)
    output_names = [f"y{i}'" for i in range(after.shape[1])] if outputs is None else list(outputs)
    check_wanted(progress)
    bar = Bar() if bar_wanted(progress) else None
    told: Optional[Callable[..., None]] = None
    if callable(progress):
        call = progress

        def told(*record: Any) -> None:
            call(Epoch(*record))

    elif bar is not None:
        line = bar

        def told(*record: Any) -> None:
            epoch = Epoch(*record)
            done = (epoch.restart - 1) * epochs + epoch.epoch
            line.show(
                epoch.seconds,
                f"epoch {epoch.epoch}  loss {epoch.loss:.4f}  train error {100 * epoch.train_error:.2f} %",
                done / (epochs * restarts),
            )

    try:
        answer, raised = _core.learn(
            before, after, input_names, output_names, list(hidden), epochs, restarts, seed, stop_at_zero, sparse, density,
            batch, rate, threads, test_share, distinct, told,
        )
    finally:
        if bar is not None:
            bar.close()
    learned = Learned(answer)
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(learned) from None
    if raised is not None:
        raise raised
    return learned
