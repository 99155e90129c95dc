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


# Boolean expressions


@pytest.mark.parametrize(
    "formula, texts",
    [
        (x & y, ["x >= 1", "y >= 1"]),
        (x | y, ["x + y >= 1"]),
        (x | ~y, ["x - y >= 0"]),
        (~(x & y), ["-x - y >= -1"]),
        (~(x | y), ["-x >= 0", "-y >= 0"]),
        (x.implies(y), ["y - x >= 0"]),
        ((x & ~y).implies(n[1].next), ["n.1' + y - x >= 0"]),
        (x.implies(y & n[0]), ["n.0 - x >= 0", "y - x >= 0"]),
        (x.next == (x & y), ["x - x' >= 0", "y - x' >= 0", "x' - x - y >= -1"]),
        ((x & y) == x.next, ["x - x' >= 0", "y - x' >= 0", "x' - x - y >= -1"]),
        (~~x | y, ["x + y >= 1"]),
        (True & x, ["x >= 1"]),
        (x | False, ["x >= 1"]),
        (x | True, []),
        (x | ~x | y, []),
        ((x & y) | x, ["x >= 1"]),
        (np.bool_(True) & x, ["x >= 1"]),
    ],
)
def test_formulas(formula, texts):
    assert sorted(constraint.text for constraint in bnnplan.Formula.of(formula).constraints()) == sorted(texts)


def random_formula(rng, bits, depth):
    """A formula, and its values for all assignments."""
    if depth == 0 or rng.random() < 0.15:
        variable, values = bits[rng.integers(len(bits))]
        return (~variable, ~values) if rng.integers(2) else (variable, values)
    one, ones = random_formula(rng, bits, depth - 1)
    if rng.random() < 0.2:
        return ~one, ~ones
    other, others = random_formula(rng, bits, depth - 1)
    joined = [(one & other, ones & others), (one | other, ones | others), (one.implies(other), ~ones | others)]
    if isinstance(one, bnnplan.Formula) or isinstance(other, bnnplan.Formula):
        joined.append((one == other, ones == others))
    return joined[rng.integers(len(joined))]


def test_formulas_mean_what_they_say():
    rng = np.random.default_rng(7)
    assignments = np.array([[(i >> b) & 1 for b in range(5)] for i in range(32)], dtype=bool)
    bits = [(Variable(f"v{i}"), assignments[:, i]) for i in range(5)]
    for _ in range(300):
        formula, expected = random_formula(rng, bits, 4)
        try:
            constraints = bnnplan.Formula.of(formula).constraints()
        except InputError:
            assert not expected.any()
            continue
        holds = np.ones(32, dtype=bool)
        for constraint in constraints:
            left = sum(int(c) * assignments[:, int(name[1:])].astype(int) for (name, _), c in constraint.left._terms.items())
            holds &= left >= int(constraint.right._constant)
        assert (holds == expected).all(), formula


def test_formulas_in_problems():
    problem = bnnplan.Problem("alarm", horizon=3)
    door, key, alarm = problem.state("door", initial=0), problem.state("key", initial=0), problem.state("alarm", initial=0)
    push, take = problem.action("push"), problem.action("take")
    problem.add(~(push & take), door.next == (door | push), key.next == (key | take), alarm.next == (alarm | (door & ~key)))
    problem.add_goal(door & key, ~alarm)
    problem.minimize(push + take)
    result = problem.plan()
    assert result.cost == 2 and not result.states["alarm"].any() and result.states["key"][-1]
    problem.add_goal(~door | ~key)
    assert problem.plan().status == "infeasible"
    assert repr((x & y) | ~n[0]) == "<Formula (x & y) | ~n.0>" and repr(True & x) == "<Formula x & True>"


def test_what_is_no_formula():
    for wrong in (lambda: x & n, lambda: (x + y) | x, lambda: x & 1, lambda: x | "y", lambda: x.implies(None), lambda: ~(x + y)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError, match="a constraint of its own"):
        x & (y == 1)
    with pytest.raises(TypeError, match="no truth value"):
        bool(x & y)
    with pytest.raises(TypeError, match="auxiliary variable that equals it"):
        x + (x | y)
    with pytest.raises(TypeError, match="auxiliary variable that equals it"):
        bnnplan.Problem().minimize(x | y)
    with pytest.raises(InputError, match="never true"):
        (x & False).constraints()
    ors = [Variable(f"a{i}") & Variable(f"b{i}") for i in range(30)]
    large = ors[0]
    for each in ors[1:]:
        large = large | each
    with pytest.raises(InputError, match="too large"):
        large.constraints()


def test_variables_of_another_problem():
    one, other = bnnplan.Problem("one"), bnnplan.Problem("other")
    lit, foreign = one.state("lit"), other.state("lit")
    for wrong in (
        lambda: one.add(foreign == 1), lambda: one.add_goal(foreign >= 1), lambda: one.minimize(2 * foreign.next),
        lambda: one.add(foreign.next == (foreign | foreign)), lambda: one.maximize(foreign), lambda: one.add(~foreign),
        lambda: one.add(other["lit"] <= 1),
    ):  # fmt: skip
        with pytest.raises(InputError, match="lit.*of another problem"):
            wrong()
    for wrong in (lambda: lit + foreign, lambda: lit == foreign, lambda: total([lit, foreign]), lambda: lit & foreign):
        with pytest.raises(InputError, match="of two different problems"):
            wrong()
    assert one.constraints == [] and one.objective is None
    copied = one.copy()
    copied.add(lit <= 1, one["lit"] + Variable("lit") <= 2)
    assert len(copied.constraints) == 2
