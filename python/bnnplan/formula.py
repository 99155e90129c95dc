"""Boolean expressions over the Booleans and bits of a problem, which become linear constraints when they are added to it.

    >>> problem.add((door & ~key).implies(alarm.next))
    >>> problem.add(light.next == (light & ~switch | ~light & switch))

A formula is kept as a tree in which only variables are negated. It is turned into clauses by distributing "or" over "and":
(a & b) | c is (a | c) & (b | c). Each clause is one constraint, 1 <= the sum of its literals, from which solvers conclude as much
as from any other way to say it. Formulas that people write have few clauses; one that has too many is refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

from .errors import InputError
from .expression import Constraint, Expression, Key, common_owner

__all__ = ["Formula"]

Literal = Tuple[Key, bool]  # a variable, and whether it is 1
Clause = FrozenSet[Literal]
MOST_CLAUSES = 2_000


class Formula:
    """A Boolean expression: Booleans and bits joined by ``&``, ``|``, ``~``, ``implies`` and, to say that two are equal, ``==``."""

    __slots__ = ("_kind", "_parts", "_bit", "_owner")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # NumPy leaves its Booleans to us

    def __init__(self, kind: str, parts: Sequence["Formula"] = (), bit: Optional[Expression] = None):
        self._kind = kind  # "bit", "and" or "or"; without parts, "and" is true and "or" is false
        self._parts = tuple(parts)
        self._bit = bit
        self._owner = None if bit is None else bit._owner
        for part in parts:
            self._owner = common_owner(self, part)

    @staticmethod
    def of(value: Any) -> "Formula":
        """The formula that a Boolean, a bit, True or False is."""
        if isinstance(value, Formula):
            return value
        if isinstance(value, Expression):
            if not value._is_bit:
                raise TypeError(f"{value.text} is neither a Boolean nor a single bit")
            return Formula("bit", bit=value)
        if isinstance(value, Constraint):
            raise TypeError("a comparison is not a Boolean expression: add it as a constraint of its own")
        if type(value).__name__ in ("bool", "bool_"):
            return Formula("and" if value else "or")
        raise TypeError(f"expected a Boolean expression, not {type(value).__name__}")

    def __and__(self, other: Any) -> "Formula":
        return Formula("and", (self, Formula.of(other)))

    __rand__ = __and__

    def __or__(self, other: Any) -> "Formula":
        return Formula("or", (self, Formula.of(other)))

    __ror__ = __or__

    def __invert__(self) -> "Formula":
        if self._bit is not None:
            return Formula("bit", bit=~self._bit)
        return Formula("or" if self._kind == "and" else "and", [~part for part in self._parts])

    def implies(self, other: Any) -> "Formula":
        """If this holds, the other one does."""
        return ~self | Formula.of(other)

    def __eq__(self, other: Any) -> "Formula":  # type: ignore[override]
        right = Formula.of(other)
        return self.implies(right) & right.implies(self)

    def __bool__(self) -> bool:
        raise TypeError("a Boolean expression has no truth value before there is a plan: write & for and, | for or, ~ for not")

    def _clauses(self, names: Dict[Key, Expression]) -> List[Clause]:
        if self._bit is not None:
            ((key, coefficient),) = self._bit._terms.items()
            names[key] = self._bit if coefficient > 0 else ~self._bit
            return [frozenset([(key, coefficient > 0)])]
        of_parts = [part._clauses(names) for part in self._parts]
        if self._kind == "and":
            return _without_needless([clause for clauses in of_parts for clause in clauses])
        joined: List[Clause] = [frozenset()]
        for clauses in of_parts:
            if len(joined) * len(clauses) > MOST_CLAUSES:
                raise InputError("the Boolean expression is too large: name parts of it by auxiliary variables")
            joined = _without_needless([one | other for one in joined for other in clauses])
        return joined

    def constraints(self) -> List[Constraint]:
        """The linear constraints that say the same. Raises InputError if it is never true."""
        bits: Dict[Key, Expression] = {}
        made: List[Constraint] = []
        for clause in self._clauses(bits):
            if not clause:
                raise InputError(f"{self.text} is never true")
            sum_, negated = Expression({}), 0
            for key, is_one in sorted(clause, key=lambda literal: (not literal[1], literal[0])):
                sum_ = sum_ + bits[key] if is_one else sum_ - bits[key]
                negated += not is_one
            made.append(sum_ >= 1 - negated)
        return made

    @property
    def text(self) -> str:
        """As it is written."""
        if self._bit is not None:
            key, coefficient = next(iter(self._bit._terms.items()))
            return ("~" if coefficient < 0 else "") + Expression({key: Fraction(1)}).text
        if not self._parts:
            return "True" if self._kind == "and" else "False"
        sign = " & " if self._kind == "and" else " | "
        return sign.join(part.text if part._bit is not None or part._kind == self._kind else f"({part.text})" for part in self._parts)

    def __repr__(self) -> str:
        return f"<Formula {self.text}>"


def _without_needless(clauses: List[Clause]) -> List[Clause]:
    """Without those that are always true, and those that another one implies."""
    kept: List[Clause] = []
    for clause in sorted(dict.fromkeys(clauses), key=len):
        if any((key, not is_one) in clause for key, is_one in clause) or any(other <= clause for other in kept):
            continue
        kept.append(clause)
    return kept
