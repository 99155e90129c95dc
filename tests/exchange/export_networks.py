# Trains small binarized networks in PyTorch, with six ways of writing a sign that gradients pass through, and exports them by
# torch.onnx.export (for any number of samples, and for a batch of three) and torch.save. Beside each: inputs, what torch
# computes of them in each layer before the sign, and the class.
#
#   python3 export_networks.py FOLDER
import sys

import numpy
import torch
from torch import nn

torch.manual_seed(1)
torch.set_num_threads(1)


def one_or_minus_one(x):
    return torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))


class SignFunction(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return one_or_minus_one(x)

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        return gradient * (x.abs() <= 1)


def detached(x):
    return (torch.sign(x) - x).detach() + x


def clipped(x):
    c = torch.clamp(x, -1, 1)
    return (torch.sign(x) - c).detach() + c


def hyperbolic(x):
    c = torch.tanh(x)
    return c + (one_or_minus_one(x) - c).detach()


def compared(x):
    c = nn.functional.hardtanh(x)
    return ((x >= 0).float() * 2 - 1).detach() - c.detach() + c


def twice(x):
    return (torch.sign(torch.sign(x) + 0.1) - x).detach() + x


ways = {
    "detached": detached,
    "clipped": clipped,
    "hyperbolic": hyperbolic,
    "compared": compared,
    "twice": twice,
    "function": SignFunction.apply,
}
inputs, widths, classes = 16, (24, 20), 4


class Binarized(nn.Module):
    def __init__(self, way, before, after, bias):
        super().__init__()
        self.way = way
        self.inner = nn.Linear(before, after, bias=bias)
        nn.init.uniform_(self.inner.weight, -1, 1)

    def forward(self, x):
        return nn.functional.linear(x, self.way(self.inner.weight), self.inner.bias)


class Network(nn.Module):
    def __init__(self, way):
        super().__init__()
        self.way = way
        self.first = Binarized(way, inputs, widths[0], True)
        self.first_norm = nn.BatchNorm1d(widths[0])
        self.second = Binarized(way, widths[0], widths[1], False)
        self.second_norm = nn.BatchNorm1d(widths[1])
        self.last = Binarized(way, widths[1], classes, True)

    def layers(self, x):
        first = self.first_norm(self.first(x))
        second = self.second_norm(self.second(self.way(first)))
        return first, second, self.last(self.way(second))

    def forward(self, x):
        return self.layers(x)[2]


def random_inputs(count):
    return torch.randint(0, 2, (count, inputs)).float() * 2 - 1


def train(network):
    truth = torch.randn(inputs, classes)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(100):
        x = random_inputs(128)
        loss = nn.functional.cross_entropy(network(x), (x @ truth).argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.eval()


for name, way in ways.items():
    network = Network(way)
    train(network)
    path = f"{sys.argv[1]}/{name}"
    torch.onnx.export(network, torch.ones(1, inputs), path + ".onnx", opset_version=13, input_names=["x"],
                      output_names=["y"], dynamic_axes={"x": {0: "samples"}})
    torch.onnx.export(network, torch.ones(3, inputs), path + ".batch.onnx", opset_version=13)
    torch.save(network.state_dict(), path + ".pt")
    torch.save(network.state_dict(), path + ".old.pt", _use_new_zipfile_serialization=False)
    x = random_inputs(10000)
    with torch.no_grad():
        first, second, scores = network.layers(x)
    numpy.save(path + ".x.npy", (x > 0).numpy())
    numpy.save(path + ".first.npy", first.numpy())
    numpy.save(path + ".second.npy", second.numpy())
    numpy.save(path + ".class.npy", scores.argmax(1).numpy())
