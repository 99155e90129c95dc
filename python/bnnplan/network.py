"""Binarized neural networks."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import named_arguments_of
from .errors import InputError
from .expression import exact_argument
from .frames import Array, in_order, plain_array
from .html import facts_table
from .options import takes_options

__all__ = ["Network"]

PathLike = Union[str, "os.PathLike[str]"]
SOURCES = {".onnx": "onnx", ".npz": "npz", ".pt": "torch", ".pth": "torch"}


def bit_array(values: Any, what: str, columns: Optional[int] = None) -> Array:
    """Rows of 0 and 1 as bytes, in a row-major array of two dimensions. Raises InputError for other values."""
    array = plain_array(values, what)
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        expected = "two dimensions" if columns is None else f"rows of {columns} values"
        raise InputError(f"{what} has the shape {array.shape}, expected {expected}")
    if array.dtype == np.bool_:
        return np.ascontiguousarray(array).view(np.uint8)
    if array.dtype == np.uint8:
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iuf":
        raise InputError(f"{what} has values of the kind {array.dtype}, expected 0 and 1")
    if not bool(((array == 0) | (array == 1)).all()):
        raise InputError(f"{what} has values that are neither 0 nor 1")
    return np.ascontiguousarray(array, dtype=np.uint8)


def integer_array(values: Any, what: str, kind: Any, dimensions: int) -> Array:
    array = plain_array(values, what)
    if array.ndim != dimensions:
        raise InputError(f"{what}: the shape is {array.shape}, expected {dimensions} dimensions")
    if array.dtype.kind not in "iuf":
        raise InputError(f"{what}: values of the kind {array.dtype}, expected whole numbers")
    limits = np.iinfo(kind)
    if array.size and not bool(((array >= limits.min) & (array <= limits.max) & (array == np.floor(array))).all()):
        raise InputError(f"{what}: expected whole numbers from {limits.min} to {limits.max}")
    return np.ascontiguousarray(array, dtype=kind)


class Evaluation(NamedTuple):
    """A network on data: its outputs (of a classifier the numbers of the classes) and how many samples are right."""

    outputs: Array
    samples: int
    right: Optional[int]  #: None where the data does not say what is right
    ties: int  #: samples for which several classes have the best score


#: kinds of numbers that are taken as they are, without a copy of 8 bytes each
_KINDS = (np.uint8, np.int8, np.uint16, np.int16, np.float32)

#: facts about networks of other tools that are numbers here and texts in the library
FACTS = {
    "range": "a pair of exact numbers", "bits": "a pair of exact numbers", "step": "an exact number",
    "scale": "an exact number", "epsilon": "an exact number", "tie": "a whole number",
}  # fmt: skip


@named_arguments_of
class Network:
    """A binarized neural network: weights -1, 0 and +1, and one whole threshold a neuron.

    A neuron is 1 if at least ``threshold`` of its inputs agree with their weights; an input agrees with weight +1 if it is
    1, with weight -1 if it is 0, and weight 0 means that it is not looked at.

    Make one of arrays, ``Network([W1, W2], [t1, t2], inputs=[...], outputs=[...])``, read one (:meth:`read`), fold one that
    was trained with batch normalisation (:meth:`from_batch_norm`), or import one (:meth:`from_onnx`, :meth:`from_torch`).
    Call it on a batch: ``network(X)``.
    """

    def __init__(
        self,
        weights: Sequence[Any],
        thresholds: Sequence[Any],
        inputs: Optional[Sequence[str]] = None,
        outputs: Optional[Sequence[str]] = None,
    ):
        """Makes a network of arrays.

        Args:
            weights: one array per layer, neurons times inputs, of -1, 0 and 1
            thresholds: one array per layer, a whole number per neuron
            inputs: names; x0, x1, ... if not given. For planning: the bits of a problem's state and action variables
            outputs: names; y0', y1', ... if not given. For planning: the next state, names that end in '
        """
        layers = [integer_array(w, f"the weights of layer {i + 1}", np.int8, 2) for i, w in enumerate(weights)]
        limits = [integer_array(t, f"the thresholds of layer {i + 1}", np.int32, 1) for i, t in enumerate(thresholds)]
        input_names, output_names = self._names(layers, inputs, outputs)
        self._core = _core.Network.from_arrays(input_names, output_names, layers, limits)

    @staticmethod
    def _names(layers: List[Array], inputs: Optional[Sequence[str]], outputs: Optional[Sequence[str]]) -> Tuple[List[str], List[str]]:
        if not layers:
            raise InputError("a network has at least one layer")
        if inputs is None:
            inputs = [f"x{i}" for i in range(layers[0].shape[1])]
        if outputs is None:
            outputs = [f"y{i}'" for i in range(layers[-1].shape[0])]
        return list(inputs), list(outputs)

    @classmethod
    def _of(cls, core: _core.Network) -> "Network":
        network = cls.__new__(cls)
        network._core = core
        return network

    @classmethod
    def read(cls, path: PathLike) -> "Network":
        """Reads a network file (.bnn)."""
        return cls._of(_core.Network.read(Path(path)))

    @classmethod
    def parse(cls, text: str, name: str = "the network") -> "Network":
        """The same from text; the name stands for the file in errors."""
        return cls._of(_core.Network.parse(text, name))

    @classmethod
    def from_batch_norm(
        cls,
        weights: Sequence[Any],
        norms: Sequence[Dict[str, Any]],
        inputs: Optional[Sequence[str]] = None,
        outputs: Optional[Sequence[str]] = None,
    ) -> "Network":
        """A network as it was trained, folded exactly.

        Args:
            weights: as in ``Network(...)``
            norms: for each layer a dictionary with ``mean``, ``variance``, ``gamma``, ``beta`` (arrays) and ``epsilon``:
                a neuron is 1 if (D - mean) gamma / sqrt(variance + epsilon) + beta >= 0 where D is the sum of weight times
                input, with inputs -1 and +1
        """
        layers = [integer_array(w, f"the weights of layer {i + 1}", np.int8, 2) for i, w in enumerate(weights)]
        columns = []
        for layer, norm in zip(layers, norms):
            neurons = layer.shape[0]
            try:
                parts = [
                    np.broadcast_to(np.asarray(norm.get(key, default), dtype=np.float64), (neurons,))
                    for key, default in (("mean", 0.0), ("variance", 1.0), ("epsilon", 0.0), ("gamma", 1.0), ("beta", 0.0))
                ]
            except (ValueError, TypeError) as error:
                raise InputError(f"a normalisation has one number per neuron: {error}") from None
            columns.append(np.ascontiguousarray(np.stack(parts, axis=1)))
        if len(columns) != len(list(norms)):
            raise InputError("there are more normalisations than layers")
        input_names, output_names = cls._names(layers, inputs, outputs)
        return cls._of(_core.Network.from_trained(input_names, output_names, layers, columns))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any], **facts: Any) -> "Network":
        """A network of any kind, also a classifier or one that takes numbers, from arrays by name.

        The names are those of the NumPy files in docs/exchange.md: ``layer0/weight`` with ``layer0/threshold`` or a batch
        normalisation, ``scores/weight``, ``input/threshold`` and so on; the facts are those of :meth:`import_file`.

            Network.from_arrays({"layer0/weight": W, "layer0/threshold": t, "scores/weight": S})
        """
        checked: Dict[str, Array] = {}
        for name, array in dict(arrays).items():
            checked[str(name)] = plain_array(array, f"the array '{name}'")
            if checked[str(name)].dtype.kind not in "biufU":
                raise InputError(f"the array '{name}' has values of the kind {checked[str(name)].dtype}")
        file = io.BytesIO()
        np.savez(file, **checked)
        return cls._imported("npz", file, "the arrays", facts)

    @classmethod
    @takes_options("import", without=("outputs",), kinds=FACTS)
    def import_file(cls, path: PathLike, *, scores: Optional[bool] = None, **facts: Any) -> "Network":
        """Reads a network of another tool: .onnx (also QONNX, Brevitas, FINN), .npz, .pt.

        What the file does not say is given by name, as for `bnnplan import` (docs/exchange.md): ``range=(0, 255)``, ``step=1``,
        ``bits=(-1, 1)``. Numbers are exact, as in expressions.

        Args:
            path: the file
            scores: whether the last layer gives scores, or bits
        """
        facts["scores"] = scores
        suffix = Path(path).suffix.lower()
        if suffix not in SOURCES:
            raise InputError(f"{path}: expected a file .onnx, .npz or .pt", str(path))
        return cls._of(_core.Network.imported(SOURCES[suffix], Path(path), cls._facts(facts)))

    @classmethod
    def _imported(cls, source: str, file: io.BytesIO, name: str, facts: Dict[str, Any]) -> "Network":
        """The same of what such a file has in it."""
        return cls._of(_core.Network.imported_bytes(source, file.getvalue(), name, cls._facts(facts)))

    @staticmethod
    def _facts(facts: Dict[str, Any]) -> Dict[str, Any]:
        given: Dict[str, Any] = {}
        for key, value in facts.items():
            if value is None:
                continue
            if FACTS.get(key) == "a pair of exact numbers":
                if not isinstance(value, (tuple, list)) or len(value) != 2:
                    raise InputError(f"{key} is {value!r}, expected a pair of numbers")
                given[key] = (":" if key == "range" else ",").join(exact_argument(key, each) for each in value)
            elif key in FACTS:
                given[key] = exact_argument(key, value)
            elif key == "scores":
                given["outputs"] = "scores" if value else "bits"
            else:
                given[key] = value
        return given

    @classmethod
    def from_onnx(cls, path: PathLike, **facts: Any) -> "Network":
        """Reads an ONNX file; see :meth:`import_file`."""
        return cls.import_file(path, **facts)

    @classmethod
    def from_torch(cls, module: Any, inputs: Optional[int] = None, **facts: Any) -> "Network":
        """A PyTorch module of sign activations, exactly: it is exported to ONNX and read back.

        Args:
            module: in evaluation mode, with one vector in and one out
            inputs: how many numbers it takes; if not given, what its first weight takes
            facts: as for :meth:`import_file`
        """
        import torch

        if not isinstance(module, torch.nn.Module):
            raise TypeError(f"expected a module of torch, not {type(module).__name__}; files are read by import_file")
        if inputs is None:
            inputs = next((p.shape[1] for p in module.parameters() if p.dim() == 2), None)
            if inputs is None:
                raise InputError("the module has no matrix of weights: say how many inputs it takes")
        was_training = module.training
        module.eval()
        try:
            file = io.BytesIO()
            torch.onnx.export(module, torch.ones(1, inputs), file, do_constant_folding=False)
            return cls._imported("onnx", file, "the module", facts)
        finally:
            module.train(was_training)

    def write(self, path: PathLike) -> None:
        """Writes the network, as the name ends: .bnn, .onnx, .npz or .c."""
        suffix = Path(path).suffix.lower()
        if suffix in (".onnx", ".npz", ".c"):
            self._core.write_as(Path(path), {"to": suffix[1:]})
        else:
            self._core.write(Path(path))

    def write_qonnx(self, path: PathLike) -> None:
        """Writes it in the dialect of QONNX."""
        self._core.write_as(Path(path), {"to": "qonnx"})

    def __call__(self, X: Any) -> Array:
        """The outputs for a batch.

        Args:
            X: an array of rows, one value per input: bool, or numbers that are 0 and 1 (for inputs that are numbers, those);
                or a single row. The columns of a pandas frame are found by the names of the inputs, in any order
        Returns:
            an array of bool, one row per row of X and one column per output; of a classifier, the number of the class of
            each row. For a single row, its outputs alone.
        """
        array = plain_array(in_order(X, self.inputs, "X"), "X")
        single = array.ndim == 1
        if single:
            array = array[None, :]
        if not self._core.has_numbers:
            result = self._core.evaluate_bytes(bit_array(array, "X"))
        elif array.dtype.kind not in "iufb":
            raise InputError(f"values of the kind {array.dtype}, expected numbers")
        else:
            numbers = array.view(np.uint8) if array.dtype == np.bool_ else array
            kind = numbers.dtype if numbers.dtype in _KINDS else np.float64
            result = self._core.evaluate_numbers(np.ascontiguousarray(numbers, dtype=kind))
        row: Array = result[0] if single else result
        return row

    @takes_options("eval", without=("scores",))
    def evaluate(self, *files: PathLike, scale: Any = None, **options: Any) -> Evaluation:
        """The network on the samples of files, as `bnnplan eval` does it.

        Args:
            files: one .csv, .npy or idx file, or pictures (.png), one sample each
            scale: the network is given scale times every number: ``Fraction(1, 255)`` for pixels from 0 to 1
        """
        if scale is not None:
            options["scale"] = exact_argument("scale", scale)
        return Evaluation(*self._core.evaluate_files([Path(file) for file in files], options))

    @property
    def inputs(self) -> List[str]:
        """The names of the inputs."""
        return self._core.inputs

    @property
    def outputs(self) -> List[str]:
        """The names of the outputs; of a classifier, the classes."""
        return self._core.outputs

    @property
    def weights(self) -> List[Array]:
        """The weights of each layer, neurons times inputs."""
        return self._core.weights

    @property
    def thresholds(self) -> List[Array]:
        """The thresholds of each layer."""
        return self._core.thresholds

    @property
    def shape(self) -> List[int]:
        """How many inputs, neurons of each layer and, of a classifier, classes there are."""
        return [int(width) for width in self._core.shape().split(":")]

    @property
    def is_classifier(self) -> bool:
        """Whether it gives classes."""
        return self._core.is_classifier

    @property
    def text(self) -> str:
        """The network file as text."""
        return self._core.text()

    @property
    def record(self) -> List[str]:
        """Lines about where it comes from."""
        return self._core.record

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return (Network.parse, (self.text,))

    def __str__(self) -> str:
        return self._core.describe().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Network {self._core.shape()}{' classifier' if self.is_classifier else ''}>"

    def _repr_html_(self) -> str:
        return facts_table(self._core.describe())
