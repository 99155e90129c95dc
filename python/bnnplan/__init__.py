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
discover         learn, plan and try in turn in a domain or any Python function, until the plan holds there
verify           how near to an input a classifier errs; equal, monotone, explain, count, ask: other questions
maxsat           the MaxSAT solver alone; pseudo_boolean: the one for OPB
make_suite       the 45 benchmark problems as files; make_ladder: new ones of any size

What is wrong with files or arguments is an InputError, a ValueError with .file and .line. Everything that runs long takes
limits, releases the interpreter lock, and ends at Ctrl-C. ``help(bnnplan.Problem)`` says more; so does docs/python.md.
"""

from __future__ import annotations

from typing import List

from . import _core, rddl
from .closed_loop import Planner, RDDLAgent, RunResult, run
from .discovery import Discovery, DiscoveryRound, discover
from .environment import Environment, FunctionEnvironment
from .errors import InputError, Interrupted
from .expression import Constraint, Expression, Variable, total
from .formula import Formula
from .learning import Epoch, Errors, Learned, Transitions, Tried, learn, read_transitions
from .network import Evaluation, Network
from .plan import Bound, Check, Comparison, Evidence, Plan, PlanEpisodes, PlanResult, ProofCheck, StateDifference
from .problem import Problem
from .progress import Progress
from .properties import Answer, Claim, Count, Explanation, ask, count, equal, explain, monotone
from .questions import MaxSatResult, PseudoBooleanResult, Verification, maxsat, pseudo_boolean, verify
from .suite import Suite, SuiteProgress, ladder_names, make_ladder, make_suite

__version__: str = _core.version

__all__ = [
    "Answer", "Bound", "Check", "Claim", "Comparison", "Constraint", "Count", "Discovery", "DiscoveryRound", "Environment",
    "Epoch", "Errors", "Evaluation", "Evidence", "Explanation", "Expression", "Formula", "FunctionEnvironment", "InputError", "Interrupted", "Learned",
    "MaxSatResult", "Network", "Plan", "PlanEpisodes", "PlanResult", "Planner", "Problem", "Progress", "ProofCheck",
    "PseudoBooleanResult", "RDDLAgent", "RunResult", "StateDifference", "Suite", "SuiteProgress", "Transitions", "Tried", "Variable", "Verification",
    "ask", "count", "discover", "engines", "equal", "explain", "formats", "ladder_names", "learn", "make_ladder", "make_suite", "maxsat",
    "monotone", "pseudo_boolean",
    "rddl", "read_transitions", "run", "total", "verify",
]  # fmt: skip


def engines() -> List[str]:
    """The engines that plan; "auto" is all together."""
    return _core.engine_names()


def formats() -> List[str]:
    """The formats that problems are written in for solvers of others."""
    return _core.format_names()


def __dir__() -> List[str]:
    return [*__all__, "__doc__", "__version__"]
