"""Networks: from arrays and files, and on batches."""

import pickle
import tracemalloc

import numpy as np
import pytest

from bnnplan import InputError, Network


def random_network(rng, shape):
    weights = [rng.integers(-1, 2, size=(b, a)) for a, b in zip(shape, shape[1:])]
    thresholds = [rng.integers(0, a + 1, size=b) for a, b in zip(shape, shape[1:])]
    return Network(weights, thresholds), weights, thresholds


def reference(weights, thresholds, X):
    bits = X.astype(int)
    for w, t in zip(weights, thresholds):
        agreeing = (bits[:, None, :] * (w == 1) + (1 - bits[:, None, :]) * (w == -1)).sum(axis=2)
        bits = (agreeing >= t).astype(int)
    return bits.astype(bool)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5, 2), (8, 8, 8), (13, 36, 36, 9), (63, 20, 65), (64, 64), (65, 7, 130), (200, 30, 9)])
def test_batches_against_numpy(shape):
    rng = np.random.default_rng(sum(shape))
    network, weights, thresholds = random_network(rng, shape)
    for rows in (0, 1, 2, 7, 300):
        X = rng.integers(0, 2, size=(rows, shape[0]))
        expected = reference(weights, thresholds, X)
        for kind in (bool, np.uint8, np.int64, np.float32, np.float64):
            result = network(X.astype(kind))
            assert result.dtype == bool and result.shape == (rows, shape[-1])
            assert (result == expected).all()
        assert (network(np.asfortranarray(X.astype(bool))) == expected).all()
        assert (network(X.astype(np.uint8)[::-1]) == expected[::-1]).all()
        if rows:
            assert (network(X[0]) == expected[0]).all()
            assert (network(X.tolist()) == expected).all()


def test_arrays_there_and_back():
    rng = np.random.default_rng(1)
    network, weights, thresholds = random_network(rng, (5, 4, 3))
    assert network.shape == [5, 4, 3] and network.inputs[0] == "x0" and network.outputs[2] == "y2'"
    assert all((a == b).all() for a, b in zip(network.weights, weights))
    assert all((a == b).all() for a, b in zip(network.thresholds, thresholds))
    assert Network(network.weights, network.thresholds) == network
    assert pickle.loads(pickle.dumps(network)) == network
    assert not network == 3 and network != Network([[[1]]], [[0]])
    assert repr(network) == "<Network 5:4:3>" and "<table>" in network._repr_html_()


def test_files(tmp_path, models):
    network = Network.read(models / "corridor.bnn")
    network.write(tmp_path / "a.bnn")
    assert Network.read(tmp_path / "a.bnn") == network == Network.parse(network.text)
    X = np.random.default_rng(0).integers(0, 2, size=(100, 7)).astype(bool)
    for name in ("a.onnx", "a.npz"):
        network.write(tmp_path / name)
        again = Network.import_file(tmp_path / name)
        assert (again(X) == network(X)).all()
    network.write_qonnx(tmp_path / "q.onnx")
    assert (Network.from_onnx(tmp_path / "q.onnx")(X) == network(X)).all()
    network.write(tmp_path / "net.c")
    assert "net_evaluate" in (tmp_path / "net.c").read_text()


def test_batch_norm_is_folded_exactly():
    rng = np.random.default_rng(3)
    weights = rng.choice([-1, 1], size=(6, 5))
    norm = {
        "mean": rng.normal(size=6),
        "variance": rng.uniform(0.5, 2, size=6),
        "gamma": rng.choice([-1.5, 0.0, 2.0], size=6),
        "beta": rng.normal(size=6),
        "epsilon": 1e-5,
    }
    network = Network.from_batch_norm([weights], [norm])
    X = np.array([[(i >> b) & 1 for b in range(5)] for i in range(32)])
    D = (2 * X - 1) @ weights.T
    value = (D - norm["mean"]) * norm["gamma"] / np.sqrt(norm["variance"] + 1e-5) + norm["beta"]
    assert (network(X) == (value >= 0)).all()
    for bad in ({"variance": -1.0}, {"mean": np.nan}, {"gamma": np.inf}, {"mean": [1, 2]}, {"mean": "x"}):
        with pytest.raises(InputError):
            Network.from_batch_norm([weights], [{**norm, **bad}])
    with pytest.raises(InputError, match="more normalisations"):
        Network.from_batch_norm([weights], [norm, norm])
    with pytest.raises(InputError):
        Network.from_batch_norm([weights, weights], [norm])


def test_what_is_refused():
    network = Network([[[1, -1]]], [[1]])
    for X, message in [
        ([[0, 1, 1]], "expected rows of 2 values"),
        ([[0, 2]], "neither 0 nor 1"),
        ([[0, 0.5]], "neither 0 nor 1"),
        ([[0, float("nan")]], "neither 0 nor 1"),
        (np.array([[0, 2]], dtype=np.uint8), "row 0, input 'x1' is 2, expected 0 or 1"),
        ([["a", "b"]], "expected 0 and 1"),
        (np.zeros((1, 1, 2)), "expected"),
        (np.zeros(()), "expected"),
        (None, "expected"),
    ]:
        with pytest.raises(InputError, match=message):
            network(X)
    for weights, thresholds in [
        ([], []),
        ([[[2]]], [[0]]),
        ([[[1]]], [[0], [0]]),
        ([[[1]]], [[0, 0]]),
        ([[[1]], [[1, 1]]], [[0], [0]]),
        ([[1]], [[0]]),
        ([[[0.5]]], [[0]]),
        ([[[np.nan]]], [[0]]),
        ([[[1]]], [[2**40]]),
        ([np.zeros((0, 3))], [[]]),
        ([np.zeros((3, 0))], [[0, 0, 0]]),
    ]:
        with pytest.raises(InputError):
            Network(weights, thresholds)
    for names in (["a", "b", "c"], ["a", "a"], ["", "b"], ["a\n", "b"], ["#a", "b"]):
        with pytest.raises(InputError):
            Network([[[1, 1]]], [[1]], inputs=names)
    with pytest.raises(TypeError):
        Network([[[1, 1]]], [[1]], inputs=[1, 2])


def test_a_changed_array_does_not_matter():
    rng = np.random.default_rng(0)
    network, *_ = random_network(rng, (20, 64, 5))
    X = rng.integers(0, 2, size=(20_000, 20)).astype(bool)
    kept = X.copy()
    result = network(X)
    X[:] = False
    assert (network(kept) == result).all()


def test_a_torch_module():
    torch = pytest.importorskip("torch", reason="skipped: torch is not installed")

    class Binarized(torch.nn.Module):
        def __init__(self, classes):
            super().__init__()
            torch.manual_seed(1)
            self.first, self.last = torch.nn.Linear(6, 8, bias=False), torch.nn.Linear(8, classes, bias=False)
            self.norm = torch.nn.BatchNorm1d(8)
            self.norm.running_mean.uniform_(-1, 1)
            for layer in (self.first, self.last):
                layer.weight.data = torch.where(layer.weight.data >= 0, 1.0, -1.0)

        def forward(self, x):
            x = self.norm(self.first(x))
            x = torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))
            return self.last(x)

    module = Binarized(3)
    assert module.training
    network = Network.from_torch(module, bits=(-1, 1))
    assert module.training and network.is_classifier and network.shape == [6, 8, 3]
    X = np.array([[(i >> b) & 1 for b in range(6)] for i in range(64)])
    module.eval()
    scores = module(torch.tensor(2.0 * X - 1, dtype=torch.float32)).detach().numpy()
    assert (network(X) == scores.argmax(axis=1)).all()
    with pytest.raises(InputError):
        Network.from_torch(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Sigmoid(), torch.nn.Linear(2, 2)), bits=(-1, 1))
    with pytest.raises(InputError, match="how many inputs"):
        Network.from_torch(torch.nn.ReLU())


def test_a_pickled_model_is_refused(tmp_path):
    torch = pytest.importorskip("torch", reason="skipped: torch is not installed")
    module = torch.nn.Sequential(torch.nn.Linear(3, 2, bias=False))
    for legacy in (False, True):
        torch.save(module, tmp_path / "model.pt", _use_new_zipfile_serialization=not legacy)
        with pytest.raises(InputError, match=r"model.pt: .*torch.save\(model.state_dict\(\), FILE\), or export it to ONNX"):
            Network.import_file(tmp_path / "model.pt", bits=(-1, 1), epsilon=0)
    with pytest.raises(TypeError, match="files are read by import_file"):
        Network.from_torch(tmp_path / "model.pt")


def test_no_message_names_a_temporary_file(corridor):
    torch = pytest.importorskip("torch", reason="skipped: torch is not installed")
    with pytest.raises(InputError) as caught:
        Network.from_arrays({"layer0/weight": [[1, 2]], "layer0/threshold": [1]})
    assert str(caught.value).startswith("the arrays: ")
    with pytest.raises(InputError) as caught:
        Network.from_torch(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Sigmoid()), bits=(-1, 1))
    assert str(caught.value).startswith("the module: ") and caught.value.file == "the module"
    corridor.horizon = 1_000_000
    with pytest.raises(InputError) as caught:
        corridor.encode("wcnf", neurons="nothing")
    assert "bnnplan-" not in str(caught.value)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.uint16, np.float32, bool])
def test_batches_of_numbers_are_not_copied(kind):
    """Bytes were once copied as numbers of eight bytes: a batch of a gigabyte took nine."""
    rng = np.random.default_rng(5)
    top = 1 if kind is bool else 100
    network = Network.from_arrays(
        {"input/threshold": np.full(400, (top + 1) / 2), "layer0/weight": rng.choice([-1, 1], size=(3, 400)), "layer0/threshold": [190, 200, 210]},
        range=(0, top), step=1,
    )  # fmt: skip
    X = rng.integers(0, top + 1, size=(5000, 400)).astype(kind)
    expected = network(X.astype(np.float64))
    tracemalloc.start()
    result = network(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (result == expected).all() and (network(X[::-1]) == expected[::-1]).all() and (network(np.asfortranarray(X)) == expected).all()
    assert peak < X.nbytes / 2, peak
    if kind is not bool:
        X[17, 3] = 101
        with pytest.raises(InputError, match="row 17, input 'x3' is 101, expected"):
            network(X)


def test_networks_on_files(tmp_path):
    rng = np.random.default_rng(8)
    network = Network([rng.choice([-1, 1], size=(3, 5))], [[2, 3, 4]])
    X = rng.integers(0, 2, size=(20, 5))
    np.save(tmp_path / "x.npy", X)
    result = network.evaluate(tmp_path / "x.npy")
    assert (result.outputs == network(X)).all() and result.samples == 20 and result.right is None
    classes = Network.from_arrays(
        {"layer0/weight": rng.choice([-1, 1], size=(4, 5)), "layer0/threshold": [1, 2, 3, 4], "scores/weight": rng.choice([-1, 1], size=(2, 4))}
    )
    answers = classes(X)
    np.save(tmp_path / "y.npy", answers)
    result = classes.evaluate(tmp_path / "x.npy", labels=tmp_path / "y.npy")
    assert result.right == 20 and (result.outputs == answers).all()
    lines = ["x0,x1,x2,x3,x4,kind"] + [",".join(map(str, [*row, 1 - answer])) for row, answer in zip(X, answers)]
    (tmp_path / "x.csv").write_text("\n".join(lines) + "\n")
    assert classes.evaluate(tmp_path / "x.csv", label="kind").right == 0
    for arguments, options in (((), {}), (("missing.npy",), {}), ((tmp_path / "x.npy",), {"scale": float("nan")}), ((tmp_path / "x.npy",), {"labels": "no"})):
        with pytest.raises(InputError):
            network.evaluate(*arguments, **options)


def test_arguments_that_are_not_numbers_are_named(tmp_path):
    with pytest.raises(TypeError, match="epsilon= is '1e-5', expected a number"):
        Network.import_file(tmp_path / "model.pt", epsilon="1e-5")
    with pytest.raises(TypeError, match="range= is '1', expected a number"):
        Network.import_file(tmp_path / "model.onnx", range=(0, "1"))
