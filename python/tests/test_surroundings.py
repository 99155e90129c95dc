"""What is used where it is installed (Gymnasium, pyRDDLGym: stand-ins here), and what a terminal shows."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import bnnplan
from bnnplan import Problem


def run_with(folder, program):
    source = Path(bnnplan.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(folder)!r}, {str(source)!r}]\n" + program],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_environments_are_those_of_gymnasium(tmp_path, domains):
    (tmp_path / "gymnasium").mkdir()
    (tmp_path / "gymnasium" / "__init__.py").write_text("from . import spaces\nclass Env: pass\n")
    (tmp_path / "gymnasium" / "spaces.py").write_text(
        "class Discrete:\n    def __init__(self, n, start=0): self.n, self.start = n, start\n"
        "class Box:\n    def __init__(self, low, high, shape): pass\n"
        "class Dict(dict): pass\n"
    )
    printed = run_with(
        tmp_path,
        f"""
import bnnplan, gymnasium
env = bnnplan.rddl.load({str(domains / "navigation.rddl")!r}, {str(domains / "navigation_3x3.rddl")!r}).environment()
assert isinstance(env, gymnasium.Env) and isinstance(env.action_space, gymnasium.spaces.Dict)
env.reset(seed=1)
print(len(env.step(env.sample_action())), all(isinstance(s, gymnasium.spaces.Discrete) for s in env.observation_space.values()))
""",
    )
    assert printed == "5 True"


def test_the_agent_is_one_of_pyrddlgym(tmp_path, domains):
    core = tmp_path / "pyRDDLGym" / "core"
    core.mkdir(parents=True)
    (tmp_path / "pyRDDLGym" / "__init__.py").write_text("")
    (core / "__init__.py").write_text("")
    (core / "policy.py").write_text(
        "class BaseAgent:\n    use_tensor_obs = False\n    def sample_action(self, state=None): raise NotImplementedError\n"
    )
    printed = run_with(
        tmp_path,
        f"""
import bnnplan
from pyRDDLGym.core.policy import BaseAgent
agent = bnnplan.RDDLAgent({str(domains / "navigation.rddl")!r}, {str(domains / "navigation_3x3.rddl")!r}, lookahead=2)
print(isinstance(agent, BaseAgent))
""",
    )
    assert printed == "True"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_a_line(models, monkeypatch):
    problem = Problem.read(models / "sysadmin_10.toml")
    for wanted, stream, seen in ((None, Terminal(), True), (None, io.StringIO(), False), (False, Terminal(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        problem.plan(40, time_limit=1.2 if seen else 0.7, threads=1, progress=wanted)
        text = stream.getvalue()
        assert ("bound" in text) == seen
        assert not seen or text.endswith("\r")  # wiped in the end
        monkeypatch.undo()


def test_training_shows_a_bar(monkeypatch):
    from bnnplan.progress import Bar

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    bar = Bar()
    bar.show(0.1, "too early")
    assert stream.getvalue() == ""
    bar.show(1.0, "half", 0.5)
    bar.show(2.0, "x", 2.0)
    bar.close()
    assert "[==========          ] half" in stream.getvalue() and "[====================] x" in stream.getvalue()


def test_spaces_of_our_own():
    from bnnplan import spaces

    small = spaces.Discrete(3, seed=1, start=-1)
    assert all(small.sample() in small for _ in range(20)) and 2 not in small and "a" not in small and None not in small
    box = spaces.Box(0, 1, seed=2)
    assert box.sample() in box and 2 not in box and "a" not in box and spaces.Box(-float("inf"), 1).sample() is not None
    both = spaces.Dict({"a": small, "b": box}, seed=3)
    assert both.sample() in both and {"a": 0} not in both and 3 not in both and len(both) == 2 and list(both) == ["a", "b"]
    assert both["a"] == spaces.Discrete(3, start=-1) and "Discrete(3, start=-1)" in repr(both)
    with pytest.raises(ValueError):
        spaces.Discrete(0)
