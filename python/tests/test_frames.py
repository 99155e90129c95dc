"""Frames of pandas and other arrays that say more than their numbers: names of columns, masks, gaps."""

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Network, Transitions

pandas = pytest.importorskip("pandas", reason="skipped: pandas is not installed")

KINDS = (bool, np.uint8, np.int64, np.float64, "boolean", "Int8", "UInt8", "Float64", object)


def frame_of(rng, array, names):
    """The same numbers with the columns in some order, each of some kind."""
    order = rng.permutation(len(names))
    frame = pandas.DataFrame(array[:, order], columns=[names[i] for i in order])
    if rng.integers(2):
        return frame.astype({name: KINDS[rng.integers(len(KINDS))] for name in names})
    return frame.astype(KINDS[rng.integers(len(KINDS))])


@pytest.mark.parametrize("seed", range(40))
def test_shuffled_columns(seed):
    """Whatever the order and the kinds of columns are, a network takes each input by its name."""
    rng = np.random.default_rng(seed)
    inputs, outputs = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    names = [f"in {i}" for i in rng.permutation(inputs)]
    network = Network([rng.integers(-1, 2, size=(outputs, inputs))], [rng.integers(0, inputs + 1, size=outputs)], inputs=names)
    X = rng.integers(0, 2, size=(int(rng.integers(1, 40)), inputs))
    expected = network(X)
    assert (network(frame_of(rng, X, names)) == expected).all()
    assert (network(frame_of(rng, X, names).iloc[0]) == expected[0]).all()
    scores = Network.from_arrays({
        "layer0/weight": rng.choice([-1, 1], size=(3, inputs)), "layer0/threshold": [1, 1, 1], "scores/weight": rng.choice([-1, 1], size=(2, 3)),
        "input/names": np.array(names),
    })  # fmt: skip
    assert (scores(frame_of(rng, X, names)) == scores(X)).all()
    row = bnnplan.verify(scores, frame_of(rng, X, names).iloc[0], norm="l0")
    assert row.status == bnnplan.verify(scores, X[0], norm="l0").status and (row.scores == bnnplan.verify(scores, X[0], norm="l0").scores).all()

    after = [f"out {i}" for i in range(outputs)]
    with_names = frame_of(rng, X, names), frame_of(rng, expected.astype(int), after)
    learned = bnnplan.learn(*with_names, test_share=0, threads=1, measure=(frame_of(rng, X, names), frame_of(rng, expected.astype(int), after)))
    assert learned.network.inputs == list(with_names[0].columns)
    assert learned.network.outputs == [name + "'" for name in with_names[1].columns]
    assert learned.errors["evaluate"].wrong_transitions == 0
    ordered = bnnplan.learn(*with_names, test_share=0, threads=1, inputs=names, outputs=[name + "'" for name in after])
    assert ordered.network.inputs == names and (ordered.network(X) == expected).all()
    assert (ordered.network(frame_of(rng, X, names)) == expected).all()


def test_names_that_do_not_fit():
    network = Network([[[1, -1, 1]]], [[2]], inputs=["a", "b", "c"])
    rows = [[0, 1, 1], [1, 1, 0]]
    for columns, message in [
        (["a", "b", "d"], "X lacks the columns 'c'; it has columns that are not expected: 'd'"),
        (["a", "b"], "X lacks the columns 'c'"),
        (["c", "a", "e", "b", "d"], "X has columns that are not expected: 'e', 'd'"),
        (["a", "a", "b"], "X has several columns 'a'; it lacks the columns 'c'"),
        (["a", "b", 7], "X has columns whose names are not texts: 7"),
        ([2, 1, 0], "X has columns whose names are not texts: 2, 1, 0"),
    ]:
        frame = pandas.DataFrame(np.zeros((2, len(columns)), dtype=int), columns=columns)
        with pytest.raises(InputError) as caught:
            network(frame)
        assert str(caught.value) == message
    assert (network(pandas.DataFrame(rows)) == network(rows)).all()  # without names, the order counts
    X, Y = pandas.DataFrame(rows, columns=["a", "b", "c"]), pandas.DataFrame([[1], [0]], columns=["d"])
    with pytest.raises(InputError, match="X lacks the columns 'x'; it has columns that are not expected: 'c'"):
        bnnplan.learn(X, Y, inputs=["a", "b", "x"])
    with pytest.raises(InputError, match='Y lacks the columns "e."'):
        bnnplan.learn(X, Y, outputs=["e'"])
    with pytest.raises(InputError, match="X lacks the columns 'c'"):
        bnnplan.learn(X, Y, test_share=0, measure=(X.rename(columns={"c": "d"}), Y))


def test_frames_there_and_back():
    data = Transitions(np.array([[0, 1], [1, 1]]), np.array([[1], [0]]), ["a", "b"], ["a'"])
    frame = data.to_pandas()
    network = bnnplan.learn(frame[["b", "a"]], frame[["a'"]], test_share=0).network
    assert network.inputs == ["b", "a"] and network.outputs == ["a'"] and (network(frame[["a", "b"]]) == data.Y).all()


def test_masks_and_gaps():
    network = Network([[[1, -1]]], [[1]], inputs=["a", "b"])
    masked = np.ma.masked_array([[0, 1], [1, 1]], mask=[[False, False], [False, True]])
    with pytest.raises(InputError, match="X is a masked array, and row 1, column 1 is masked"):
        network(masked)
    with pytest.raises(InputError, match="Y is a masked array"):
        bnnplan.learn([[0, 1], [1, 1]], masked)
    assert (network(np.ma.masked_array([[0, 1], [1, 1]])) == network([[0, 1], [1, 1]])).all()
    frame = pandas.DataFrame({"b": [1, 0], "a": pandas.array([True, None], dtype="boolean")})
    with pytest.raises(InputError, match="X: row 1, column 'a' is missing, expected a value"):
        network(frame)
    with pytest.raises(InputError, match="X: row 1, column 'a' is missing, expected a value"):
        bnnplan.learn(frame, [[0], [1]])
    with pytest.raises(InputError, match="X: 'a' is missing"):
        network(frame.iloc[1])
    with pytest.raises(InputError, match="x: value 1 is missing"):
        classes = Network.from_arrays({"layer0/weight": [[1, -1]], "layer0/threshold": [1], "scores/weight": [[1], [-1]]})
        bnnplan.verify(classes, pandas.array([True, None], dtype="boolean"))
    assert (network(frame.fillna(False)) == network([[1, 1], [0, 0]])).all()
    with pytest.raises(InputError, match="values of the kind object, expected 0 and 1"):
        network(pandas.DataFrame({"a": ["x"], "b": [1]}))
