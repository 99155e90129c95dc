"""Discovery: learn, plan and try in turn, beginning with no data, until the plan holds in the world."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from .arguments import named_arguments
from .closed_loop import state_bits
from .errors import InputError, unless_raised
from .exact import BitCount, Exact, exact_or_none
from .expression import exact_number, number_text
from .frames import Array
from .html import page_frame
from .learning import Transitions
from .network import Network
from .options import bit_texts, takes_options
from .plan import Plan, VariableFacts, values_of_bits
from .problem import Problem
from .progress import Bar, Wanted, bar_wanted, check_wanted
from .rddl import Domain

__all__ = ["discover", "Discovery", "DiscoveryRound"]

State = Dict[str, Any]
World = Callable[[State, State], Any]


class DiscoveryRound(NamedTuple):
    """One turn: learn, plan, try."""

    facts: int  #: that the model was learned from
    questions: int  #: asked after this round, all together
    status: str  #: of planning in the model
    promised: Optional[Exact]  #: the cost of its plan
    parts: int  #: the step after which the world is in another state than the plan says; 0: never
    holds: bool  #: the plan was tried, and the world does what it says
    explored: int  #: questions that were asked for their own sake
    seconds: float  #: since the beginning


def _round(turn: Dict[str, Any]) -> DiscoveryRound:
    return DiscoveryRound(**turn)._replace(promised=exact_or_none(turn["promised"]))


class Discovery:
    """What was found out. As a truth value it says whether there is a plan that holds in the world."""

    def __init__(self, core: _core.Discovery):
        self._core = core
        facts = core.facts()
        #: the problem with the network at the end
        self.problem: Problem = Problem._of(facts["problem"])
        #: every question that was asked, once, with its answer
        self.data: Transitions = Transitions(*facts["data"])
        #: the best plan that holds in the world; None if there is none
        self.plan: Optional[Plan] = Plan(facts["plan"]) if "plan" in facts else None
        #: what it costs
        self.cost: Optional[Exact] = exact_or_none(facts["cost"])
        #: whether no plan is better in the model, proved
        self.optimal_in_model: bool = facts["optimal_in_model"]
        #: what is known of the plan in a world that always answers alike: "optimal" (proved: everything that a better plan
        #: could begin with was seen), "valid" (it does what the model says), "infeasible" (proved that there is no plan), "none"
        #: (also if Ctrl-C ended it before the plan was played once more)
        self.world: str = facts["world"]
        #: how many questions the world was asked
        self.questions: int = facts["questions"]
        #: pairs of a state and an action that a better plan could begin with and that were never seen
        self.unseen: int = facts["unseen"]
        #: why it cannot be known here that a plan is optimal in the world; ""
        self.obstacle: str = facts["obstacle"] or ""
        #: why it ended early: "questions", "time limit", ...; ""
        self.stopped: str = facts["stopped"] or ""
        #: how the model promises another reward than the domain gives; ""
        self.promise: str = facts["promise"]
        #: every turn
        self.rounds: List[DiscoveryRound] = [_round(each) for each in facts["rounds"]]
        self._text: str = facts["text"]
        self._maximizes: bool = facts["maximizes"]

    @property
    def network(self) -> Network:
        """What was learned: the network of the problem."""
        network = self.problem.network
        assert network is not None
        return network

    @property
    def reward(self) -> Optional[Exact]:
        """The total reward of the plan: minus its cost."""
        return None if self.cost is None else -self.cost

    def write(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Writes data.csv, network.bnn, problem.toml, plan.json (if there is a plan) and index.html into a folder."""
        self._core.write(Path(folder))

    def __bool__(self) -> bool:
        return self.plan is not None

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        name, value = ("reward", self.reward) if self._maximizes else ("cost", self.cost)
        plan = "no plan" if value is None else f"{name} {value}"
        return f"<Discovery {plan}, {self.world} in the world, {self.questions} questions, {len(self.rounds)} rounds>"

    def _repr_html_(self) -> str:
        return page_frame(self._core.page())


def _row(variables: List[VariableFacts], bits: Array) -> State:
    return {name: value[0].item() for name, value in values_of_bits(variables, bits[None, :]).items()}


def _asked(world: World, problem: Problem) -> Callable[[Array, Array], Union[Array, str]]:
    """The world as the C++ side asks it: bits in, bits out, or a text why an action cannot be done."""
    state_variables, action_variables = problem._core.variables("state"), problem._core.variables("action")
    names = {facts[0] for facts in state_variables}

    def ask(state: Array, action: Array) -> Union[Array, str]:
        answer = world(_row(state_variables, state), _row(action_variables, action))
        if isinstance(answer, tuple) and answer:  # the next state and a reward, as FunctionEnvironment has it
            answer = answer[0]
        if answer is None:
            return "the world says that it cannot be done"
        if isinstance(answer, str):
            return answer.encode("utf-8", "replace").decode() or "the world says that it cannot be done"
        if not isinstance(answer, Mapping):
            raise TypeError(f"the world returned {type(answer).__name__}, expected the next state, a dictionary")
        for name in answer:
            if name not in names:
                raise InputError(f"the world says what {name!r} is, which is not a state variable of the problem")
        return state_bits(state_variables, answer, missing=-1)

    return ask


@named_arguments
@takes_options("discover")
def discover(
    world: Union[World, Domain],
    problem: Optional[Problem] = None,
    *,
    until: Any = None,
    bits: Optional[Mapping[str, BitCount]] = None,
    progress: Wanted = None,
    **options: Any,
) -> Discovery:
    """Learns what a world does, plans in what it has learned, and tries the plan, in turn, until the plan holds.

    Args:
        world: a function of a state and an action, both dictionaries, that returns the next state; None, or a text why, where
            the action cannot be done. It has to answer alike every time. Or a :class:`bnnplan.rddl.Domain`
        problem: for a function: variables, constraints, goal, what to minimize and a horizon. What no known transition gives is
            learned; if it has a network, what that gives is learned again
        until: continue until a plan that holds has at most this cost, or at least this reward
        bits: of a domain, as for :meth:`bnnplan.rddl.Domain.compile`
        progress: a function that is called with every :class:`DiscoveryRound`; True for a bar, False for none, None for a bar in
            a terminal or notebook
    Raises:
        Interrupted: a KeyboardInterrupt after Ctrl-C, with what is known so far
    """
    check_wanted(progress)
    bar = Bar() if bar_wanted(progress) else None
    told: Optional[Callable[..., None]] = None
    if callable(progress):
        call = progress

        def told(record: Dict[str, Any]) -> None:
            call(_round(record))

    elif bar is not None:
        line = bar

        def told(record: Dict[str, Any]) -> None:
            turn = _round(record)
            holds = "holds" if turn.holds else "does not hold yet"
            line.show(turn.seconds, f"{turn.seconds:.1f} s  {turn.questions} questions  the plan {holds}")

    if until is not None:
        options["until"] = number_text(exact_number(until))
    of_domain = [name for name in ("determinize", "goal", "goals") if options.get(name)] + (["bits"] if bits else [])
    try:
        if isinstance(world, Domain):
            if problem is not None:
                raise InputError("a domain has its own constraints, goal and reward: expected no problem")
            core, raised = _core.discover_domain(world._core, {**options, "bits": bit_texts(bits)}, told)
        else:
            if not callable(world):
                raise TypeError(f"the world is a function of a state and an action, or a Domain, not {type(world).__name__}")
            if not isinstance(problem, Problem):
                raise TypeError("expected a Problem: what the states and actions of the world are, and what to reach")
            if of_domain:
                raise InputError(f"{of_domain[0]}= is for domains")
            core, raised = _core.discover_function(problem._core, _asked(world, problem), options, told)
    finally:
        if bar is not None:
            bar.close()
    return unless_raised(Discovery(core), raised)
