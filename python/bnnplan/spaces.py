"""The few spaces that environments need, where Gymnasium is not installed: the same names and meaning."""

from __future__ import annotations

import random
from typing import Any, Dict as Dictionary, Iterator, Mapping, Optional, Tuple

__all__ = ["Discrete", "Box", "Dict"]


class Discrete:
    """The integers start, ..., start + n - 1."""

    def __init__(self, n: int, seed: Optional[int] = None, start: int = 0):
        if n < 1:
            raise ValueError("a space has at least one value")
        self.n, self.start = int(n), int(start)
        self._random = random.Random(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = random.Random(seed)

    def sample(self) -> int:
        return self.start + self._random.randrange(self.n)

    def contains(self, value: Any) -> bool:
        try:
            return value == int(value) and self.start <= int(value) < self.start + self.n
        except (TypeError, ValueError, OverflowError):
            return False

    __contains__ = contains

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Discrete) and (self.n, self.start) == (other.n, other.start)

    def __repr__(self) -> str:
        return f"Discrete({self.n}, start={self.start})" if self.start else f"Discrete({self.n})"


class Box:
    """A real number between low and high."""

    def __init__(self, low: float, high: float, shape: Tuple[int, ...] = (), seed: Optional[int] = None):
        self.low, self.high, self.shape = low, high, shape
        self._random = random.Random(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = random.Random(seed)

    def sample(self) -> float:
        bounded = self.low > -float("inf") and self.high < float("inf")
        return self._random.uniform(self.low, self.high) if bounded else self._random.gauss(0, 1)

    def contains(self, value: Any) -> bool:
        try:
            return self.low <= float(value) <= self.high
        except (TypeError, ValueError, OverflowError):
            return False

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high}, {self.shape})"


class Dict:
    """A dictionary with a space for each key."""

    def __init__(self, spaces: Mapping[str, Any], seed: Optional[int] = None):
        self.spaces: Dictionary[str, Any] = dict(spaces)
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        source = random.Random(seed)
        for space in self.spaces.values():
            space.seed(source.getrandbits(32))

    def sample(self) -> Dictionary[str, Any]:
        return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, value: Any) -> bool:
        return (
            isinstance(value, Mapping)
            and set(value) == set(self.spaces)
            and all(space.contains(value[name]) for name, space in self.spaces.items())
        )

    __contains__ = contains

    def __getitem__(self, name: str) -> Any:
        return self.spaces[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.spaces)

    def __len__(self) -> int:
        return len(self.spaces)

    def __repr__(self) -> str:
        return f"Dict({self.spaces})"
