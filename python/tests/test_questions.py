"""Verifying classifiers, and MaxSAT."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Network


def classifier(rng, inputs=6, hidden=5, classes=3, **arrays):
    """A random one."""
    return Network.from_arrays(
        {
            "layer0/weight": rng.choice([-1, 1], size=(hidden, inputs)),
            "layer0/threshold": rng.integers(1, inputs, size=hidden),
            "scores/weight": rng.choice([-1, 1], size=(classes, hidden)),
            "scores/bias": rng.integers(-2, 3, size=classes),
            **arrays,
        }
    )


def test_the_nearest_input_against_brute_force():
    rng = np.random.default_rng(5)
    everything = np.array(list(itertools.product([0, 1], repeat=6)))
    found = 0
    for _ in range(40):
        network = classifier(rng)
        classes = network(everything)
        assert classes.shape == (64,) and network.is_classifier and network(everything[3]) == classes[3]
        x = everything[rng.integers(64)]
        label = int(network(x))
        others = everything[classes != label]
        answer = bnnplan.verify(network, x, ties="network")
        if len(others) == 0:
            assert answer.status == "none" and not answer and answer.proved
            continue
        found += 1
        nearest = (others != x).sum(axis=1).min()
        assert answer.status == "nearest" and answer.proved and answer.distance == nearest == answer.lower_bound
        assert network(answer.values) == answer.changed_class != label
        assert bnnplan.verify(network, x, ties="network", epsilon=int(nearest) - 1).status == "robust"
        assert bnnplan.verify(network, x, ties="network", epsilon=int(nearest), label=network.outputs[label])
        assert repr(answer).startswith("<Verification nearest: class ")
    assert found > 10


def test_inputs_that_are_numbers():
    rng = np.random.default_rng(6)
    network = classifier(
        rng,
        **{"input/threshold": np.arange(1, 7) * 10.0, "input/low": np.array(0), "input/high": np.array(100), "input/step": np.array(1)},
    )
    assert network._core.has_numbers
    x = np.array([5, 50, 30, 2, 100, 0])
    assert network(x) == network(x.astype(float)) == network([x, x])[1]
    answer = bnnplan.verify(network, x, norm="l1", ties="network")
    assert answer.status in ("nearest", "none")
    if answer:
        assert np.abs(answer.values - x).sum() == answer.distance and isinstance(answer.distance, Fraction)
    for bad in (x + 1000, x * np.nan, x[:3], np.full(6, np.inf), ["a"] * 6):
        with pytest.raises(InputError):
            network(bad)
        with pytest.raises(InputError):
            bnnplan.verify(network, bad)


def test_proofs_and_what_is_refused(tmp_path):
    network = classifier(np.random.default_rng(5))
    x = [0] * 6
    answer = bnnplan.verify(network, x, proof=tmp_path / "p.pbp", progress=lambda lower, upper: None)
    assert answer.status in ("nearest", "none") and (tmp_path / "p.pbp").exists()
    label = int(network(x))
    for options in (
        {"label": 7}, {"label": "cat"}, {"label": label, "target": label}, {"norm": "l3"}, {"epsilon": float("nan")},
        {"ties": "none"}, {"time_limit": -1}, {"label": -1}, {"label": 0.5},
    ):  # fmt: skip
        with pytest.raises(InputError):
            bnnplan.verify(network, x, **options)
    with pytest.raises(InputError, match="not a classifier"):
        bnnplan.verify(Network([[[1]]], [[1]]), [0])
    with pytest.raises(TypeError):
        bnnplan.verify("network", x)
    with pytest.raises(TypeError):
        bnnplan.verify(network, x, label=[1])
    for arrays in ({}, {"layer0/weight": [["a"]]}, {"layer0/weight": [[2]]}, {"nothing": [1]}, {"layer0/weight": object()}):
        with pytest.raises(InputError):
            Network.from_arrays(arrays)
    with pytest.raises(TypeError, match="unexpected keyword argument 'unknown'"):
        Network.from_arrays({"layer0/weight": [[1]]}, unknown=3)


def test_maxsat():
    result = bnnplan.maxsat(hard=[[1, 2], [-1, -2]], soft=[([1], 3), ([2], 2), ([-1], 1)])
    assert (result.status, result.cost, result.lower_bound) == ("optimal", 3, 3)
    assert result.model.tolist() in ([True, False], [False, True]) and result
    assert repr(result) == "<MaxSatResult optimal, cost 3>"
    assert bnnplan.maxsat(hard=[[1], [-1]]).status == "unsatisfiable"
    assert bnnplan.maxsat(text="h 1 0\n5 -1 0\n", strategy="improve").cost == 5
    assert bnnplan.maxsat().cost == 0
    open("f.wcnf", "w").write("h 1 2 0\n1 -1 0\n1 -2 0\n")
    assert bnnplan.maxsat("f.wcnf").cost == 1
    for arguments in (
        {"hard": [[0]]}, {"hard": [[2**40]]}, {"text": "h 1\n"}, {"formula": "missing.wcnf"}, {"text": "", "hard": [[1]]},
        {"strategy": "best"}, {"time_limit": -1}, {"soft": [([1], 2**64 - 1)]},
    ):  # fmt: skip
        with pytest.raises(InputError):
            bnnplan.maxsat(**arguments)
    for arguments in ({"soft": [([1], -1)]}, {"hard": [["a"]]}, {"hard": [1]}, {"hard": 1}):
        with pytest.raises(TypeError):
            bnnplan.maxsat(**arguments)


def test_maxsat_writes_a_proof():
    text = "h 1 2 0\n3 -1 0\n2 -2 0\n"
    result = bnnplan.maxsat(text=text, proof="f.pbp", proof_version="1.2")
    assert result.cost == 2 and result.proof_written and result.no_proof == ""
    assert open("f.pbp").read().startswith("pseudo-Boolean proof version 1.2")
    open("g.wcnf", "w").write(text)
    assert bnnplan.maxsat("g.wcnf", proof="g.pbp").proof_written and open("g.pbp").read()
    assert not bnnplan.maxsat("g.wcnf").proof_written
    with pytest.raises(InputError, match="proof= is about a file or a text"):
        bnnplan.maxsat(hard=[[1]], proof="f.pbp")
    with pytest.raises(InputError, match="proof= is '-', expected a file"):
        bnnplan.maxsat(text=text, proof="-")


def test_answers_have_the_fields_of_the_program():
    """What --json prints, and whole inputs beside it."""
    network = classifier(np.random.default_rng(3))
    values = ["0"] * 6
    answer = bnnplan._core.verify(network._core, values, int(network(np.zeros(6))), None, "l0", None, "network", {}, None)
    assert {"norm", "label", "ties", "seconds", "conflicts", "evaluations"} <= answer.keys()
    assert {"status", "found", "values", "scores", "changed_class", "lower_bound", "proof_written", "proved"} <= answer.keys()
    assert isinstance(answer["seconds"], float) and isinstance(answer["conflicts"], int)
    robust = bnnplan._core.verify(network._core, values, int(network(np.zeros(6))), None, "l0", "0", "network", {}, None)
    assert robust["status"] == "robust" and robust["changed_scores"] == [] and "distance" in robust
    same = bnnplan._core.equal(network._core, network._core, "classes", None, "linf", None, {})
    assert same["status"] == "equal" and same["holds"] and same["values"] == []
    explained = bnnplan._core.explain(network._core, values, int(network(np.zeros(6))), "minimal", None, "network", {}, None)
    assert explained["status"] == "minimal" and explained["size"] == len(explained["inputs"]) and explained["class"]


def test_maxsat_against_brute_force():
    rng = np.random.default_rng(7)
    for _ in range(60):
        clauses = [[int(v * s) for v, s in zip(rng.integers(1, 6, 3), rng.choice([-1, 1], 3))] for _ in range(9)]
        hard, soft = clauses[:4], [(c, int(rng.integers(1, 5))) for c in clauses[4:]]
        best = None
        for values in itertools.product([False, True], repeat=5):
            holds = [any(values[abs(v) - 1] == (v > 0) for v in c) for c in clauses]
            if all(holds[:4]):
                cost = sum(w for (c, w), h in zip(soft, holds[4:]) if not h)
                best = cost if best is None else min(best, cost)
        result = bnnplan.maxsat(hard=hard, soft=soft)
        assert result.cost == best and result.status == ("unsatisfiable" if best is None else "optimal")
