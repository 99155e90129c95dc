"""Exact numbers on their way from C++, where they are texts."""

from __future__ import annotations

from decimal import Decimal
from typing import Optional, Union

#: A number without any rounding: an int where it is whole.
Exact = Union[int, Decimal]


def exact(text: str) -> Exact:
    value = Decimal(text)
    return int(value) if value == value.to_integral_value() else value


def exact_or_none(text: Optional[str]) -> Optional[Exact]:
    return None if text is None else exact(text)
