"""Expressions and constraints written as Python."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Variable, total

x, y, n = Variable("x"), Variable("y"), Variable("n", boolean=False, bits=3)


@pytest.mark.parametrize(
    "expression, text",
    [
        (x + y, "x + y"),
        (x - y, "x - y"),
        (-x, "-x"),
        (2 * x - 3 * y + 1, "2 x - 3 y + 1"),
        (1 - x, "-x + 1"),
        (~x, "-x + 1"),
        (x + x, "2 x"),
        (x - x, "0"),
        (x * 0.1, "0.1 x"),
        (x / 4, "0.25 x"),
        (x * Decimal("1.50"), "1.5 x"),
        (Fraction(1, 8) * x, "0.125 x"),
        (np.int64(3) * x, "3 x"),
        (np.float64(0.5) * x, "0.5 x"),
        (np.array([2])[0] * x + np.int8(1), "2 x + 1"),
        (x.next + n[2] + n.next, "x' + n.2 + n'"),
        (n[0].next, "n.0'"),
        (sum([x, y, n]), "x + y + n"),
        (total([x, y, 3, x]), "2 x + y + 3"),
        (Variable("robot at") + Variable("a-b"), "`robot at` + a-b"),
        ((x + 1) * 2 - (y - 1), "2 x - y + 3"),
        (-2 - x, "-x - 2"),
        (x * 1e-3, "0.001 x"),
        (True + x, "x + 1"),
    ],
)
def test_texts(expression, text):
    assert bnnplan.Expression.of(expression).text == text


def test_constraints():
    assert (x + y <= 1).text == "x + y <= 1"
    assert (1 >= x + y).text == "x + y <= 1"  # Python turns it round
    assert (x == y).text == "x == y"
    assert (x < 2).text == "x < 2"
    assert (x > y.next).text == "x > y'"
    assert repr(x >= 1) == "<Constraint x >= 1>"


def test_no_truth_value():
    with pytest.raises(TypeError, match="write two constraints"):
        0 <= n <= 1
    with pytest.raises(TypeError, match="no truth value"):
        bool(x == 1)
    with pytest.raises(TypeError, match="no truth value"):
        bool(x)
    with pytest.raises(TypeError, match="no truth value"):
        x + y <= 1 and y <= 1
    with pytest.raises(TypeError):
        x in [y]
    with pytest.raises(TypeError, match="!="):
        x != y


def test_what_is_no_expression():
    with pytest.raises(TypeError, match="not linear"):
        x * y
    for other in ("x", None, [1], object(), 1j):
        with pytest.raises(TypeError):
            x + other
        with pytest.raises(TypeError):
            other - x
        with pytest.raises(TypeError):
            x <= other
    with pytest.raises(TypeError, match="constraint"):
        x + (y <= 1)
    with pytest.raises(TypeError, match="constraint"):
        (y <= 1) == x
    with pytest.raises(TypeError):
        hash(x)
    for number in (float("nan"), float("inf"), Decimal("nan")):
        with pytest.raises(InputError):
            x * number
    with pytest.raises(ZeroDivisionError):
        x / 0
    with pytest.raises(InputError, match="multiply the expression by 3"):
        (x / 3 <= 1).text
    with pytest.raises(IndexError):
        n[3]
    with pytest.raises(TypeError, match="has no bits"):
        x[0]
    with pytest.raises(TypeError, match="single bits"):
        ~n


def test_many_terms_take_linear_time():
    variables = [Variable(f"v{i}") for i in range(5000)]
    assert total(variables).text.count("+") == 4999
