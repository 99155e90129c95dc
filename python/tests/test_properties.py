"""Equality, monotonicity, explanations, counts and linear properties, against everything tried."""

import itertools

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Network
from test_questions import classifier

EVERYTHING = np.array(list(itertools.product([0, 1], repeat=6)))


def known(rng):
    """A classifier with its arrays beside it."""
    arrays = {
        "layer0/weight": rng.choice([-1, 1], size=(5, 6)),
        "layer0/threshold": rng.integers(1, 6, size=5),
        "scores/weight": rng.choice([-1, 1], size=(3, 5)),
        "scores/bias": rng.integers(-2, 3, size=3),
    }

    def scores(rows):
        agreeing = ((2 * rows - 1) @ arrays["layer0/weight"].T + 6) // 2
        hidden = 2 * (agreeing >= arrays["layer0/threshold"]) - 1
        return hidden @ arrays["scores/weight"].T + arrays["scores/bias"]

    return Network.from_arrays(arrays), scores


def test_equal_networks():
    rng = np.random.default_rng(1)
    proved = 0
    for turn in range(30):
        first, scores = known(rng)
        second, other = (first, scores) if turn % 5 == 0 else known(rng)
        for by in ("classes", "scores"):
            left, right = scores(EVERYTHING), other(EVERYTHING)
            same = (left.argmax(1) == right.argmax(1)) if by == "classes" else (left == right).all(1)
            claim = bnnplan.equal(first, second, by=by)
            assert bool(claim) == same.all() and claim.status == ("proved" if same.all() else "refuted")
            proved += bool(claim)
            if not claim:
                place = EVERYTHING.tolist().index(claim.values.astype(int).tolist())
                assert not same[place] and len(claim.scores) == 3
            x = EVERYTHING[rng.integers(64)]
            near = np.abs(EVERYTHING - x).sum(1) <= 2
            assert bool(bnnplan.equal(first, second, x, by=by, norm="l0", epsilon=2)) == same[near].all()
            nearest = bnnplan.equal(first, second, x, by=by, norm="l0")
            if not same.all():
                assert nearest.distance == np.abs(EVERYTHING - x).sum(1)[~same].min()
    assert proved >= 12 and repr(claim).startswith("<Claim the scores are the same: ")


def test_monotone_outputs():
    rng = np.random.default_rng(2)
    outcomes = set()
    for _ in range(40):
        network, scores = known(rng)
        i, o = int(rng.integers(6)), int(rng.integers(3))
        low, high = EVERYTHING[EVERYTHING[:, i] == 0], EVERYTHING[EVERYTHING[:, i] == 0].copy()
        high[:, i] = 1
        before, after = scores(low), scores(high)
        for increasing in (True, False):
            fits = (after >= before if increasing else after <= before)[:, o]
            claim = bnnplan.monotone(network, i, network.outputs[o], increasing=increasing)
            assert bool(claim) == fits.all()
            outcomes.add(bool(claim))
            if not claim:
                assert claim.values[i] < claim.other_values[i] and np.abs(claim.values - claim.other_values).sum() == 1
            first, second = before.argmax(1) == o, after.argmax(1) == o
            stays = second[first] if increasing else first[second]
            assert bool(bnnplan.monotone(network, network.inputs[i], o, increasing=increasing, by="class")) == stays.all()
    assert outcomes == {True, False}


def test_explanations():
    rng = np.random.default_rng(3)
    for _ in range(25):
        network, scores = known(rng)
        x = EVERYTHING[rng.integers(64)]
        classes = scores(EVERYTHING).argmax(1)
        label = int(network(x))

        def explains(inputs):
            agree = (EVERYTHING[:, inputs] == x[inputs]).all(1)
            return (classes[agree] == label).all()

        minimal = bnnplan.explain(network, x)
        assert minimal.is_minimal and explains(minimal.inputs)
        assert not any(explains([i for i in minimal.inputs if i != left]) for left in minimal.inputs)
        smallest = bnnplan.explain(network, x, kind="smallest", progress=lambda size, at_least: None)
        sizes = [k for k in range(7) if any(explains(list(s)) for s in itertools.combinations(range(6), k))]
        assert smallest.is_smallest and explains(smallest.inputs) and len(smallest) == sizes[0] == smallest.at_least
        assert smallest.names == [network.inputs[i] for i in smallest.inputs]
    assert "smallest>" in repr(smallest)


def test_counts():
    rng = np.random.default_rng(4)
    for _ in range(25):
        network, scores = known(rng)
        x = EVERYTHING[rng.integers(64)]
        classes = scores(EVERYTHING).argmax(1)
        near = np.abs(EVERYTHING - x).sum(1) <= 3
        counted = bnnplan.count(network, x, 3, norm="l0", ties="network")
        assert counted.exact and counted.lower == counted.upper == (classes[near] != int(network(x))).sum()
        assert counted.total == near.sum() and repr(counted) == f"<Count {counted.lower} of {near.sum()}>"


def test_linear_questions(tmp_path):
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(30):
        network, scores = known(rng)
        values = scores(EVERYTHING)
        allowed = EVERYTHING[:, 0] + EVERYTHING[:, 3] >= 1
        truth = (values[allowed, 0] <= values[allowed, 1]).all()
        text = 'assume = ["x0 + x3 >= 1"]\nprove = ["score[0] <= score[1]"]\n'
        answer = bnnplan.ask(network, text=text)
        assert answer.status == ("proved" if truth else "refuted") and bool(answer) == (not truth)
        seen.add(answer.status)
        if answer:
            place = EVERYTHING.tolist().index(answer.values.astype(int).tolist())
            assert allowed[place] and values[place, 0] > values[place, 1]
        least = bnnplan.ask(network, text='find = ["score[2] > score[1]"]\nminimize = "x0 + 2 x1 + x2 + x3 + x4 + x5"\n')
        good = values[:, 2] > values[:, 1]
        costs = EVERYTHING @ [1, 2, 1, 1, 1, 1]
        assert least.status == ("best" if good.any() else "none")
        assert not good.any() or least.value == costs[good].min() == least.bound
    assert seen == {"proved", "refuted"}
    lines = [f"(declare-const X_{i} Real)\n(assert (>= X_{i} 0))\n(assert (<= X_{i} 1))" for i in range(6)]
    lines += [f"(declare-const Y_{i} Real)" for i in range(3)] + ["(assert (>= Y_0 Y_1))"]
    (tmp_path / "q.vnnlib").write_text("\n".join(lines))
    answer = bnnplan.ask(network, tmp_path / "q.vnnlib")
    holds = (values[:, 0] >= values[:, 1]).any()
    assert answer.vnnlib.startswith("sat" if holds else "unsat") and bool(answer) == holds
    assert bnnplan.ask(network, text="\n".join(lines), vnnlib=True).status == answer.status


def test_pictures():
    rng = np.random.default_rng(6)
    network = classifier(rng, inputs=9)
    x = np.array([[0, 1, 0], [1, 1, 1], [0, 0, 1]])
    answer = bnnplan.verify(network, x, ties="network")
    assert "<iframe" in answer._repr_html_() and "data:image/png" in answer.page()
    explained = bnnplan.explain(network, x)
    assert "<iframe" in explained._repr_html_()
    plain = bnnplan.verify(classifier(rng), [0] * 6, ties="network")
    assert plain._repr_html_().startswith("&lt;Verification")
    with pytest.raises(InputError, match="not a picture"):
        plain.page()


def test_pseudo_boolean():
    result = bnnplan.pseudo_boolean(text="min: +1 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n")
    assert (result.status, result.value, result.lower_bound) == ("optimal", 1, 1) and result.model.tolist() == [True, False]
    assert bnnplan.pseudo_boolean(text="+1 x1 >= 2 ;\n").status == "unsatisfiable"
    open("f.opb", "w").write("min: +3 x1 ;\n+1 x1 >= 1 ;\n")
    assert repr(bnnplan.pseudo_boolean("f.opb", proof="f.pbp")) == "<PseudoBooleanResult optimal, value 3>"
    for arguments in ({}, {"text": "", "formula": "f.opb"}, {"text": "x"}, {"formula": "missing.opb"}, {"text": "min: ;", "time_limit": -1}):
        with pytest.raises(InputError):
            bnnplan.pseudo_boolean(**arguments)


def test_what_is_refused():
    network, _ = known(np.random.default_rng(7))
    x = [0] * 6
    for call in (
        lambda: bnnplan.equal(network, network, by="taste"), lambda: bnnplan.equal(network, network, epsilon=1),
        lambda: bnnplan.equal(network, Network([[[1]]], [[1]])), lambda: bnnplan.monotone(network, 6, 0),
        lambda: bnnplan.monotone(network, "y", 0), lambda: bnnplan.monotone(network, 0, -1), lambda: bnnplan.monotone(network, 0, 0, by="luck"),
        lambda: bnnplan.explain(network, x, kind="shortest"), lambda: bnnplan.explain(network, x[:5]),
        lambda: bnnplan.explain(Network([[[1]]], [[1]]), [0]), lambda: bnnplan.count(network, x, 1, what="sheep"),
        lambda: bnnplan.count(network, x, float("nan")), lambda: bnnplan.ask(network), lambda: bnnplan.ask(network, "missing.toml"),
        lambda: bnnplan.ask(network, text="prove = 3"), lambda: bnnplan.ask(network, text="(assert", vnnlib=True),
    ):  # fmt: skip
        with pytest.raises(InputError):
            call()
    for call in (
        lambda: bnnplan.equal(network, "other"), lambda: bnnplan.explain("network", x), lambda: bnnplan.ask(5, text=""),
        lambda: bnnplan.monotone(5, 0, 0), lambda: bnnplan.count(network, x, "far"),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
