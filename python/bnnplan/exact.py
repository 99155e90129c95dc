"""Numbers on their way to and from C++: exact ones, which are texts there, how many bits integers have, and limits."""

from __future__ import annotations

from decimal import Decimal
from numbers import Integral
from typing import Dict, Mapping, Optional, Tuple, Union

from .errors import InputError

#: A number without any rounding: an int where it is whole.
Exact = Union[int, Decimal]
#: How many bits an integer has, or a pair of it and whether it is signed.
BitCount = Union[int, Tuple[int, bool]]


def exact(number: Union[int, str]) -> Exact:
    value = Decimal(number)
    return int(value) if value == value.to_integral_value() else value


def exact_or_none(number: Union[int, str, None]) -> Optional[Exact]:
    return None if number is None else exact(number)


def bit_counts(bits: Optional[Mapping[str, BitCount]]) -> Dict[str, Tuple[int, bool]]:
    """Of each name how many bits it has, and whether it is signed."""
    return {name: (width if isinstance(width, tuple) else (width, False)) for name, width in (bits or {}).items()}
