"""Arrays and frames as users have them: columns matched by their names, gaps refused.

Everything with ``columns`` or ``index`` and ``to_numpy`` is taken for a frame or a row of pandas. Labels that are 0, 1, 2, ... are
not names: such columns are taken in their order, as those of an array are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence

import numpy as np

from .errors import InputError

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]
else:  # older versions of NumPy have no parameters there
    Array = np.ndarray


def labels_of(values: Any) -> Optional[List[Any]]:
    """The labels of the columns of a frame or of the values of a row; None if there are none."""
    if not hasattr(values, "to_numpy"):
        return None
    labels = getattr(values, "columns", getattr(values, "index", None))
    return None if labels is None else list(labels)


def names_of(values: Any, what: str) -> Optional[List[str]]:
    """The names of the columns; None if they have none."""
    labels = labels_of(values)
    if labels is None or labels == list(range(len(labels))):
        return None
    others = [label for label in labels if not isinstance(label, str)]
    if others:
        raise InputError(f"{what} has columns whose names are not texts: {_listed(others)}")
    return labels


def in_order(values: Any, names: Sequence[str], what: str) -> Any:
    """The same with the columns in the order of these names, which have to be those of the columns; unless they have none."""
    labels = names_of(values, what)
    if labels is None or labels == list(names):
        return values
    have, wanted = set(labels), set(names)
    faults = [
        ("has several columns", sorted({label for label in labels if labels.count(label) > 1}) if len(have) < len(labels) else []),
        ("lacks the columns", [name for name in names if name not in have]),
        ("has columns that are not expected:", [label for label in labels if label not in wanted]),
    ]
    said = [f"{fault} {_listed(which)}" for fault, which in faults if which]
    if said:
        raise InputError(f"{what} {'; it '.join(said)}")
    return values[list(names)]


def _listed(names: Sequence[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:20])
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"


def plain_array(values: Any, what: str) -> Array:
    """An array of one kind of number, whatever they were in; InputError for what is masked or missing."""
    if isinstance(values, np.ma.MaskedArray):
        masked = np.broadcast_to(getattr(values, "mask"), values.shape)
        if masked.any():
            raise InputError(f"{what} is a masked array, and {_place(masked)} is masked: expected a value")
        values = getattr(values, "data")
    labels = labels_of(values)
    array = np.asarray(values if labels is None else values.to_numpy())
    if array.dtype != object:
        return array
    # Columns of several kinds, or of pandas' own kinds, which have gaps.
    missing = np.array([_is_missing(value) for value in array.flat], dtype=bool).reshape(array.shape)
    if missing.any():
        raise InputError(f"{what}: {_place(missing, labels)} is missing, expected a value")
    columns = [array] if array.ndim < 2 else [array[:, i] for i in range(array.shape[1])] if array.ndim == 2 else []
    plain = [np.array(column.tolist()) for column in columns]
    if not plain or any(column.dtype.kind not in "biuf" or column.ndim > 1 for column in plain):
        return array
    return plain[0] if array.ndim < 2 else np.column_stack(plain)


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _place(marked: Array, labels: Optional[List[Any]] = None) -> str:
    """Where the first marked value is, in words."""
    place = [int(i) for i in np.argwhere(marked)[0]] if marked.ndim else []
    if len(place) == 1:
        return f"value {place[0]}" if labels is None else f"{labels[place[0]]!r}"
    if len(place) == 2:
        return f"row {place[0]}, column {place[1] if labels is None else repr(labels[place[1]])}"
    return "a value"
