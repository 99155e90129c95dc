"""bnnplan: binarized neural networks that describe how a world behaves, and provably optimal plans in it.

    >>> import bnnplan
    >>> problem = bnnplan.Problem.read("models/corridor.toml")
    >>> result = problem.plan()
    >>> result.status, result.cost
    ('optimal', 5)
    >>> result.actions["right"]
    array([False, False, False,  True,  True,  True,  True])

Problem          a planning problem: read, or built with expressions; plan, check, encode, decode
Network          a binarized neural network: from arrays, files, ONNX, PyTorch; call it on batches
learn            a network from transitions (arrays)
rddl.load        a domain in RDDL: compile it, simulate it into arrays, act in it
Environment      a domain in the style of Gymnasium; FunctionEnvironment: any Python function
run              a policy in a world; Planner: the policy that plans; RDDLAgent: the same for pyRDDLGym
verify           how near to an input a classifier errs
maxsat           the MaxSAT solver alone

What is wrong with files or arguments is an InputError, a ValueError with .file and .line. Everything that runs long takes
limits, releases the interpreter lock, and ends at Ctrl-C. ``help(bnnplan.Problem)`` says more; so does docs/python.md.
"""

from __future__ import annotations

from typing import List

from . import _core, rddl
from .closed_loop import Planner, RDDLAgent, RunResult, run
from .environment import Environment, FunctionEnvironment
from .errors import InputError, Interrupted
from .expression import Constraint, Expression, Variable, total
from .learning import Epoch, Errors, Learned, Transitions, learn, read_transitions
from .network import Network
from .plan import Bound, Check, Comparison, Plan, PlanResult, ProofCheck
from .problem import Problem
from .progress import Progress
from .questions import MaxSatResult, Verification, maxsat, verify

__version__: str = _core.version

__all__ = [
    "Bound", "Check", "Comparison", "Constraint", "Environment", "Epoch", "Errors", "Expression", "FunctionEnvironment",
    "InputError", "Interrupted", "Learned", "MaxSatResult", "Network", "Plan", "PlanResult", "Planner", "Problem", "Progress",
    "ProofCheck", "RDDLAgent", "RunResult", "Transitions", "Variable", "Verification", "engines", "formats", "learn", "maxsat",
    "rddl", "read_transitions", "run", "total", "verify",
]  # fmt: skip


def engines() -> List[str]:
    """The engines that plan; "auto" is all together."""
    return _core.engine_names()


def formats() -> List[str]:
    """The formats that problems are written in for solvers of others."""
    return _core.format_names()
