"""Problems: read, built, written, and the errors of all that."""

import random

import numpy as np
import pytest

import bnnplan
from bnnplan import InputError, Network, Problem


def light():
    problem = Problem("light", horizon=3)
    lit, press = problem.state("lit", initial=0), problem.action("press")
    problem.add(lit.next == lit + press)
    problem.add_goal(lit == 1)
    problem.minimize(press)
    return problem


def test_a_problem_built_and_planned():
    result = light().plan()
    assert (result.status, result.cost, result.reward) == ("optimal", 1, -1)
    assert result.actions["press"].sum() == 1
    assert result.states["lit"].tolist()[-1] is True and len(result.states["lit"]) == 4


def test_the_corridor_built_is_the_corridor_read(models, corridor):
    built = Problem("corridor", horizon=7)
    left, right = built.action("left"), built.action("right")
    cells = [built.state(f"cell-{i}", initial=i == 2) for i in range(1, 6)]
    key = built.state("key", initial=False)
    battery = built.state("battery", bits=3, initial=6)
    built.network = models / "corridor.bnn"
    built.minimize(left + right)
    built.add_goal(cells[4] == 1, key == 1)
    built.add(left + right <= 1, battery >= left + right)
    built.add(battery.next == battery - left - right)
    built.add(key.next >= key, key.next >= cells[0], key.next <= key + cells[0])
    read = Problem.parse((models / "corridor.toml").read_text().split("[view]")[0], models)
    built._core.set_network_file("corridor.bnn")
    assert built == read
    assert built.text == read.text
    assert built.plan().cost == corridor.plan().cost == 5


def test_writing_and_reading(tmp_path, corridor):
    corridor.write(tmp_path / "again.toml")
    again = Problem.read(tmp_path / "again.toml")
    assert again == corridor and again.text == corridor.text
    network = Problem("made")
    network.state("x", initial=1)
    network.network = Network([[[1]]], [[1]], ["x"], ["x'"])
    network.write(tmp_path / "made.toml")
    assert (tmp_path / "made.bnn").exists()
    assert Problem.read(tmp_path / "made.toml").network == network.network


def test_what_a_problem_says(corridor):
    assert corridor.name == "corridor" and corridor.horizon == 7
    assert list(corridor.variables("action")) == ["left", "right"]
    assert corridor["battery"].bits == 3
    assert corridor.initial["battery"] == 6 and corridor.initial["cell-2"] is True
    assert corridor.objective == "minimize left + right"
    assert corridor.goals == ["cell-5 == 1", "key == 1"]
    assert corridor.constraints[0] == "left + right <= 1" and len(corridor.transitions) == 4
    assert corridor.network.shape == [7, 15, 5]
    assert "horizon       7" in str(corridor)
    assert repr(corridor) == "<Problem corridor: 7 state, 2 action variables, horizon 7>"
    assert "<table>" in corridor._repr_html_()
    with pytest.raises(KeyError):
        corridor["nothing"]


def test_initial_values():
    problem = Problem()
    problem.state("s", bits=4, signed=True, initial=-3)
    problem.state("d", bits=3, scale=-1, initial=0.5)
    problem.state("free")
    assert problem.initial == {"s": -3, "d": 0.5}
    problem.set_initial({"s.0": 0, "free": True})
    assert problem.initial == {"s": -4, "d": 0.5, "free": True}
    problem.set_initial({"s": None, "d": 0.7})
    assert problem.initial == {"d": 0.7, "free": True}
    for values, message in [
        ({"d": 0.8}, "bad initial value for 'd', expected a multiple of 0.1"),
        ({"s": 8}, "bad initial value for 's', expected an integer from -8 to 7"),
        ({"fre": 1}, "unknown variable 'fre', did you mean 'free'?"),
        ({"s": float("nan")}, "not a finite number"),
        ({"s": 10**30 + 1}, "does not fit into 64 bits"),
    ]:
        with pytest.raises(InputError, match=message.replace("?", r"\?")):
            problem.set_initial(values)
    with pytest.raises(TypeError):
        problem.set_initial({1: 2})


def test_errors_change_nothing():
    problem = light()
    text = problem.text
    wrong = [
        lambda: problem.add("lit + pres <= 1"),
        lambda: problem.add("lit <="),
        lambda: problem.add_goal("press == 1"),
        lambda: problem.minimize("lit"),
        lambda: problem.state("lit"),
        lambda: problem.state("z", bits=61),
        lambda: problem.state("z", bits=0),
        lambda: problem.state("z", scale=1),
        lambda: problem.state(""),
        lambda: problem.state("z'"),
        lambda: problem.action("lit", bits=2),
        lambda: setattr(problem, "horizon", 0),
        lambda: setattr(problem, "horizon", 10**7),
        lambda: setattr(problem, "network", Network([[[1]]], [[1]], ["x"], ["lit'"])),
        lambda: setattr(problem, "network", Network([[[1]]], [[1]], ["lit"], ["lit"])),
    ]
    for each in wrong:
        with pytest.raises(InputError):
            each()
        assert problem.text == text
    for each in (lambda: problem.add(True), lambda: problem.add(3), lambda: problem.add(None), lambda: problem.minimize(None)):
        with pytest.raises(TypeError):
            each()
        assert problem.text == text
    assert problem.plan().cost == 1


def test_messages_name_the_place(tmp_path):
    problem = light()
    with pytest.raises(InputError) as caught:
        problem.add("lit + pres <= 1")
    assert str(caught.value) == "unknown variable 'pres', did you mean 'press'? (in \"lit + pres <= 1\", column 7)"
    assert caught.value.file is None and caught.value.line is None and isinstance(caught.value, ValueError)
    file = tmp_path / "bad.toml"
    file.write_text('horizon = 3\nminimise = "x"\n')
    with pytest.raises(InputError) as caught:
        Problem.read(file)
    assert (caught.value.file, caught.value.line) == (str(file), 2)
    assert caught.value.message == "unknown key 'minimise', did you mean 'minimize'?"
    assert str(caught.value) == f"{file}:2: unknown key 'minimise', did you mean 'minimize'?"
    for name in ("missing.toml", "\udcff.toml", "a\nb.toml"):
        with pytest.raises(InputError) as caught:
            Problem.read(tmp_path / name)
        assert "\n" not in str(caught.value) and caught.value.file


def test_what_is_missing_is_said():
    problem = Problem("open", horizon=1)
    problem.state("x")
    with pytest.raises(InputError, match="nothing defines how state 'x' changes"):
        problem.plan()
    with pytest.raises(InputError, match="no state variables"):
        Problem("empty", horizon=1).plan()
    problem = light()
    with pytest.raises(InputError, match="no horizon"):
        unlimited = Problem("light")
        lit = unlimited.state("lit")
        unlimited.add(lit.next == lit)
        unlimited.plan()
    assert unlimited.plan(horizon=2).status == "optimal"
    assert problem.plan(horizon=1).horizon == 1 and problem.horizon == 3


def random_problem(source):
    """A small problem, built in Python; the other way to it is its file."""
    problem = Problem(f"random {source.random()}", horizon=source.randint(1, 3))
    states = [problem.state(f"s[{i}]", initial=source.choice([0, 1, None])) for i in range(source.randint(1, 3))]
    number = problem.state("n", bits=2, signed=source.random() < 0.5, initial=source.choice([0, 1, None]))
    actions = [problem.action(f"a {i}") for i in range(source.randint(1, 2))]
    helper = problem.auxiliary("helper")
    learned = states[: source.randint(0, len(states))]
    if learned:
        inputs = [v.name for v in (*actions, *states)]
        hidden = source.randint(1, 4)
        weights = [
            [[source.choice([-1, 0, 1]) for _ in inputs] for _ in range(hidden)],
            [[source.choice([-1, 0, 1]) for _ in range(hidden)] for _ in learned],
        ]
        thresholds = [[source.randint(0, 3) for _ in layer] for layer in weights]
        problem.network = Network(weights, thresholds, inputs, [f"{v.name}'" for v in learned])
    pool = [*states, *actions, number[0], number, helper]

    def expression():
        terms = [source.choice([1, -1, 2, 0.5, 3]) * v for v in source.sample(pool, source.randint(1, 3))]
        return bnnplan.total(terms) + source.choice([0, 0, 1, -2])

    for state in states[len(learned) :]:
        problem.add(state.next == source.choice([state, 1 - state, actions[0], states[0]]))
    problem.add(number.next == number)
    problem.add(helper <= actions[0])
    for _ in range(source.randint(0, 2)):
        left, right = expression(), source.randint(0, 4)
        problem.add(source.choice([left <= right, left >= -right, left < right + 1]))
    if source.random() < 0.7:
        problem.add_goal(source.choice(states) + number[1] >= source.choice([0, 1]))
    objective = bnnplan.total([source.choice([1, 2, 0.25, -1]) * v for v in actions]) + states[0].next
    (problem.minimize if source.random() < 0.5 else problem.maximize)(objective)
    return problem


def test_500_random_problems_equal_those_read_from_files(tmp_path):
    source = random.Random(25)
    planned = 0
    for number in range(500):
        built = random_problem(source)
        file = tmp_path / f"{number}.toml"
        if number < 20:
            built.write(file)
        else:  # the same without waiting for the disk
            if built.network is not None:
                built._core.set_network_file(f"{number}.bnn")
                (tmp_path / f"{number}.bnn").write_text(built.network.text)
            file.write_text(built.text)
        read = Problem.read(file)
        assert built == read, built.text
        if number % 10 == 0:  # equal problems have equal plans: a sample will do
            one, other = built.plan(engine="search", threads=1), read.plan(engine="search", threads=1)
            assert (one.status, one.cost) == (other.status, other.cost)
            planned += one.status == "optimal"
            if one:
                assert read.check(one)
    assert planned > 10


def test_copies_are_their_own():
    import copy

    problem = light()
    other = copy.deepcopy(problem)
    assert other == problem and not other != problem and problem != 3
    other.add_goal("lit == 0")
    assert other != problem and problem.plan().cost == 1
    assert other.plan().status == "infeasible"


def test_a_classifier_brings_scores():
    text = """bnn 2
inputs 2
a
b
layer 1 2
score 2
"""
    # The format is another story (docs/formats.md): here only that what is wrong is said.
    with pytest.raises(InputError, match="the network:"):
        Network.parse(text)


def test_numbers_of_numpy_are_numbers():
    problem = Problem("numpy", horizon=int(np.int64(2)))
    x = problem.state("x", bits=3, initial=np.int64(3))
    problem.add(x.next == x)
    problem.add_goal(x == np.int32(3))
    assert problem.plan().status == "optimal"


def test_options_are_those_of_the_library(models, corridor, tmp_path):
    assert Problem.read(models / "corridor.toml", horizon=6).horizon == 6
    with pytest.raises(InputError, match="horizon= is 0, expected a whole number from 1 to"):
        Problem.read(models / "corridor.toml", horizon=0)
    outside = tmp_path / "outside.toml"
    outside.write_text((models / "corridor.toml").read_text().replace('"corridor.bnn"', f"'{models / 'corridor.bnn'}'"))
    with pytest.raises(InputError, match=r"expected one inside it \(or allow_outside=, if you trust the file\)"):
        Problem.read(outside)
    assert Problem.read(outside, allow_outside=True).horizon == 7
    with pytest.raises(InputError, match="missing.map"):
        corridor.decode("s UNKNOWN\n", map=tmp_path / "missing.map")
    with pytest.raises(TypeError, match="did you mean 'episodes'"):
        corridor.check(models / "corridor.plan.json", episode=3)
