"""Linear expressions over the variables of a problem, written as Python.

    >>> problem = bnnplan.Problem("light")
    >>> lit, press = problem.state("lit"), problem.action("press")
    >>> lit.next == lit + press
    <Constraint lit' == lit + press>

Coefficients are exact: an int, a ``decimal.Decimal``, a ``fractions.Fraction`` that has an end in decimals, or a float, which
stands for the decimal number that Python prints for it (0.1 is one tenth).

Booleans and bits can also be combined by ``&``, ``|``, ``~`` and ``implies``: formula.py.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _core
from .errors import InputError

if TYPE_CHECKING:
    from .formula import Formula

__all__ = ["Expression", "Variable", "Constraint", "total"]

Number = Union[int, float, Decimal, Fraction]
Key = Tuple[str, bool]  # the name of a variable or of a bit of it, and whether it is of the next state


def exact_number(value: Any) -> Fraction:
    """The exact value of a coefficient; raises InputError for what is not finite, TypeError for what is not a number."""
    if isinstance(value, (bool, Integral)):
        return Fraction(int(value))
    if isinstance(value, Fraction):
        return value
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a scalar of NumPy
        return exact_number(value.item())
    if isinstance(value, (float, Decimal)):
        try:
            return Fraction(Decimal(repr(value) if isinstance(value, float) else value))
        except (ValueError, OverflowError, ArithmeticError):
            raise InputError(f"{value!r} is not a finite number") from None
    raise TypeError(f"expected a number, not {type(value).__name__}")


def exact_argument(name: str, value: Any) -> str:
    """An exact number as C++ takes it, with the name of the argument where it is not one."""
    try:
        return str(exact_number(value))
    except TypeError:
        raise TypeError(f"{name}= is {value!r}, expected a number") from None


def number_text(value: Fraction) -> str:
    """A decimal number as text; raises InputError where it has no end."""
    if value.denominator == 1:
        return str(value.numerator)
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        raise InputError(f"{value} has no end in decimals: multiply the expression by {rest}")
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]


def is_formula(value: Any) -> bool:
    return hasattr(type(value), "constraints")  # formula.py uses this file, not the other way round


def common_owner(left: Union["Expression", "Formula"], right: Union["Expression", "Formula"]) -> Optional[str]:
    """The problem that the variables of both are of; None if they are of none in particular. Raises InputError for two."""
    if left._owner is not None and right._owner is not None and left._owner != right._owner:
        raise InputError(f"{left.text} and {right.text} are of two different problems")
    return right._owner if left._owner is None else left._owner


class Expression:
    """A sum of variables times numbers, and a number. Comparing two of them makes a :class:`Constraint`."""

    __slots__ = ("_terms", "_constant", "_owner", "_is_bit")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # NumPy leaves its scalars to us: np.int64(2) * x

    def __init__(
        self, terms: Dict[Key, Fraction], constant: Fraction = Fraction(0), owner: Optional[str] = None, is_bit: bool = False
    ):
        self._terms = terms
        self._constant = constant
        self._owner = owner  # the problem of its variables, if they are of one
        self._is_bit = is_bit  # a Boolean, a bit, or 1 - such a one

    @staticmethod
    def of(value: Any) -> "Expression":
        """The expression that a number, a variable or an expression is."""
        if isinstance(value, Expression):
            return value
        if isinstance(value, Constraint):
            raise TypeError("a constraint is not an expression: it cannot be added or compared")
        if is_formula(value):
            raise TypeError("a Boolean expression is not linear: add an auxiliary variable that equals it, and use that")
        return Expression({}, exact_number(value))

    def _plus(self, other: Any, factor: int) -> "Expression":
        right = Expression.of(other)
        terms = dict(self._terms)
        for key, coefficient in right._terms.items():
            terms[key] = terms.get(key, Fraction(0)) + factor * coefficient
        return Expression(terms, self._constant + factor * right._constant, common_owner(self, right))

    def __add__(self, other: Any) -> "Expression":
        try:
            return self._plus(other, 1)
        except TypeError:
            if isinstance(other, Constraint) or is_formula(other):
                raise
            return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Expression":
        try:
            return self._plus(other, -1)
        except TypeError:
            if isinstance(other, Constraint) or is_formula(other):
                raise
            return NotImplemented

    def __rsub__(self, other: Any) -> "Expression":
        return (-self).__add__(other)

    def __neg__(self) -> "Expression":
        return self * -1

    def __pos__(self) -> "Expression":
        return self

    def __mul__(self, other: Any) -> "Expression":
        if isinstance(other, Expression):
            if not other._terms:
                other = other._constant
            elif not self._terms:
                return other * self._constant
            else:
                raise TypeError("a product of two variables is not linear")
        try:
            factor = exact_number(other)
        except TypeError:
            return NotImplemented
        return Expression({key: factor * value for key, value in self._terms.items()}, factor * self._constant, self._owner)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Expression":
        try:
            divisor = exact_number(other)
        except TypeError:
            return NotImplemented
        if divisor == 0:
            raise ZeroDivisionError("an expression divided by 0")
        return self * (1 / divisor)

    def __le__(self, other: Any) -> "Constraint":
        return Constraint(self, "<=", Expression.of(other))

    def __ge__(self, other: Any) -> "Constraint":
        return Constraint(self, ">=", Expression.of(other))

    def __lt__(self, other: Any) -> "Constraint":
        return Constraint(self, "<", Expression.of(other))

    def __gt__(self, other: Any) -> "Constraint":
        return Constraint(self, ">", Expression.of(other))

    def __eq__(self, other: Any) -> "Constraint":  # type: ignore[override]
        if is_formula(other):  # which knows how to be equal to a bit
            return NotImplemented
        return Constraint(self, "==", Expression.of(other))

    def __ne__(self, other: Any) -> "Constraint":  # type: ignore[override]
        raise TypeError("!= is not a linear constraint")

    def __bool__(self) -> bool:
        raise TypeError("an expression has no truth value: its value is not known before there is a plan")

    def __and__(self, other: Any) -> "Formula":
        """Both; of Booleans and bits."""
        from .formula import Formula

        return Formula.of(self) & Formula.of(other)

    __rand__ = __and__

    def __or__(self, other: Any) -> "Formula":
        """At least one of both; of Booleans and bits."""
        from .formula import Formula

        return Formula.of(self) | Formula.of(other)

    __ror__ = __or__

    def __invert__(self) -> "Expression":
        """1 - x; of Booleans and bits."""
        if not self._is_bit:
            raise TypeError(f"~ is for Booleans and single bits, which {self.text} is not")
        negated = 1 - self
        negated._is_bit = True
        return negated

    def implies(self, other: Any) -> "Formula":
        """If this is 1, the other one holds; of Booleans and bits."""
        from .formula import Formula

        return Formula.of(self).implies(other)

    @property
    def text(self) -> str:
        """As it stands in a problem file."""
        parts: List[str] = []
        for (name, is_next), coefficient in self._terms.items():
            if coefficient == 0:
                continue
            magnitude = abs(coefficient)
            shown = _core.name_in_expression(name) + ("'" if is_next else "")
            term = shown if magnitude == 1 else f"{number_text(magnitude)} {shown}"
            sign = "-" if coefficient < 0 else "+"
            parts.append(f"{sign} {term}" if parts else ("-" + term if coefficient < 0 else term))
        if self._constant != 0 or not parts:
            number = number_text(abs(self._constant))
            sign = "-" if self._constant < 0 else "+"
            parts.append(f"{sign} {number}" if parts else ("-" if self._constant < 0 else "") + number)
        return " ".join(parts)

    def __repr__(self) -> str:
        return f"<Expression {self.text}>"


class Variable(Expression):
    """A variable of a problem, which is an expression, too.

    ``x.next`` is its value after the step, ``x[b]`` bit b of an integer (0 is the least significant), ``~x`` is 1 - x of a
    Boolean or a bit. Booleans and bits also have ``&``, ``|`` and ``implies``.
    """

    __slots__ = ("name", "boolean", "bits", "signed", "scale", "_is_next")

    def __init__(
        self,
        name: str,
        boolean: bool = True,
        bits: int = 1,
        signed: bool = False,
        scale: int = 0,
        is_next: bool = False,
        owner: Optional[str] = None,
    ):
        super().__init__({(name, is_next): Fraction(1)}, owner=owner, is_bit=boolean or (bits == 1 and not signed and not scale))
        self.name = name
        self.boolean = boolean
        self.bits = bits
        self.signed = signed
        self.scale = scale
        self._is_next = is_next

    @property
    def next(self) -> "Variable":
        """The variable in the state after the step."""
        return Variable(self.name, self.boolean, self.bits, self.signed, self.scale, True, self._owner)

    def __getitem__(self, bit: int) -> "Variable":
        if self.boolean:
            raise TypeError(f"{self.name} is Boolean: it has no bits")
        if not isinstance(bit, Integral):
            raise TypeError("a bit is given by its number")
        if not 0 <= bit < self.bits:
            raise IndexError(f"{self.name} has the bits 0 to {self.bits - 1}")
        return Variable(f"{self.name}.{bit}", is_next=self._is_next, owner=self._owner)

    def __iter__(self) -> Any:
        return iter([self[bit] for bit in range(self.bits)]) if not self.boolean else iter([self])

    def __repr__(self) -> str:
        kind = "bool" if self.boolean else f"{'signed ' if self.signed else ''}{self.bits} bits"
        return f"<Variable {self.text}: {kind}>"


class Constraint:
    """Two expressions compared. It holds or not for values, not by itself, so it has no truth value.

    ``0 <= x <= 1`` is two comparisons joined by ``and`` in Python, which would drop the first: write two constraints.
    """

    __slots__ = ("left", "comparison", "right")

    def __init__(self, left: Expression, comparison: str, right: Expression):
        common_owner(left, right)
        self.left = left
        self.comparison = comparison
        self.right = right

    def __bool__(self) -> bool:
        raise TypeError(
            "a constraint has no truth value; if this is a comparison of three, such as 0 <= x <= 1, "
            "write two constraints, since Python would drop the first"
        )

    @property
    def text(self) -> str:
        """As it stands in a problem file."""
        return f"{self.left.text} {self.comparison} {self.right.text}"

    def __repr__(self) -> str:
        return f"<Constraint {self.text}>"


def total(expressions: Iterable[Any]) -> Expression:
    """The sum of many expressions; the same as ``sum``, in linear time."""
    sum_ = Expression({})
    for each in expressions:
        part = Expression.of(each)
        sum_._owner = common_owner(sum_, part)
        sum_._constant += part._constant
        for key, coefficient in part._terms.items():
            sum_._terms[key] = sum_._terms.get(key, Fraction(0)) + coefficient
    return sum_
