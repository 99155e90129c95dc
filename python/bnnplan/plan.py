"""Plans, what planning returns, and what checking says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core
from .exact import Exact, exact, exact_or_none
from .frames import Array
from .html import page_frame
from .learning import Errors, Transitions, arrays_of, errors_of

__all__ = ["Plan", "PlanResult", "Bound", "Check", "PlanEpisodes", "StateDifference", "ProofCheck", "Comparison", "Evidence"]

CorePlan = _core.Plan
CoreOutcome = _core.Outcome
VariableFacts = Tuple[str, bool, int, bool, int]  # name, Boolean, bits, signed, scale


def values_of_bits(variables: List[VariableFacts], bits: Array) -> Dict[str, Array]:
    """The values of all variables, one per row of bits: bool for Booleans, int64, or float64 with a scale below 0."""
    values: Dict[str, Array] = {}
    first = 0
    for name, boolean, width, signed, scale in variables:
        columns = bits[:, first : first + width]
        first += width
        if boolean:
            values[name] = columns[:, 0].astype(bool)
            continue
        weights = np.left_shift(np.int64(1), np.arange(width, dtype=np.int64))
        if signed:
            weights[-1] = -weights[-1]
        numbers = columns.astype(np.int64) @ weights
        if scale > 0:
            numbers = numbers * 10**scale
        values[name] = numbers / 10.0**-scale if scale < 0 else numbers
    return values


class JsonFile:
    """What is a JSON object, in memory and as a file."""

    _core: Union[CorePlan, CoreOutcome]

    def to_dict(self) -> Dict[str, Any]:
        """Everything, as it stands in a file."""
        members: Dict[str, Any] = json.loads(self.to_json())
        return members

    def to_json(self) -> str:
        """The text of a file."""
        return self._core.json()

    def write(self, path: Union[str, Path]) -> None:
        """Writes a plan file, which `bnnplan check` reads, too."""
        Path(path).write_text(self.to_json(), encoding="utf-8")


class Plan(JsonFile):
    """What to do in every step, and the states that this leads to.

    The rows of ``actions`` are the steps; those of ``states`` begin with the initial state, so there is one more of them.
    """

    _core: CorePlan

    def __init__(self, core: CorePlan):
        self._core = core
        problem = core.problem
        self._variables = {place: problem.variables(place) for place in ("action", "state", "auxiliary")}

    def __len__(self) -> int:
        return len(self._core)

    @property
    def actions(self) -> Dict[str, Array]:
        """For each action variable, its value in every step."""
        return values_of_bits(self._variables["action"], self._core.actions)

    @property
    def states(self) -> Dict[str, Array]:
        """For each state variable, its value in the beginning and after every step."""
        return values_of_bits(self._variables["state"], self._core.states)

    @property
    def auxiliary(self) -> Dict[str, Array]:
        """For each auxiliary variable, its value in every step."""
        return values_of_bits(self._variables["auxiliary"], self._core.auxiliary)

    @property
    def action_bits(self) -> Array:
        """An array of 0 and 1, one row per step and one column per action bit."""
        return self._core.actions

    @property
    def state_bits(self) -> Array:
        """An array of 0 and 1, one row for the beginning and one per step, and one column per state bit."""
        return self._core.states

    @property
    def steps(self) -> List[Dict[str, Dict[str, Any]]]:
        """The steps as dictionaries, ``{"actions": {...}, "state": {...}}``, with exact values."""
        steps: List[Dict[str, Dict[str, Any]]] = self.to_dict()["steps"]
        return steps

    @property
    def initial(self) -> Dict[str, Any]:
        """The initial state."""
        values: Dict[str, Any] = self.to_dict()["initial"]
        return values

    def to_pandas(self) -> Any:
        """A pandas DataFrame, one row per step: the actions, and the state after it. Row 0 is the initial state."""
        import pandas

        columns: Dict[str, Any] = {}
        for name, values in {**self.actions, **self.auxiliary}.items():
            columns[name] = [None, *values.tolist()]
        columns.update({name: values.tolist() for name, values in self.states.items()})
        return pandas.DataFrame(columns, index=pandas.RangeIndex(len(self) + 1, name="step"))

    def evidence(self, data: Transitions) -> Evidence:
        """How far data bears the plan out: which of its steps occur there, and how good the network is on it."""
        return Evidence(_core.evidence(self._core, arrays_of(data)))

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """The actions of each step."""
        return iter([step["actions"] for step in self.steps])

    def __getitem__(self, step: int) -> Dict[str, Any]:
        """The actions of one step, from 0."""
        return [step["actions"] for step in self.steps][step]

    def __repr__(self) -> str:
        taken = []
        for actions in self:
            names = [name if value is True else f"{name}={value}" for name, value in actions.items() if value]
            taken.append(", ".join(names) or "-")
        return f"<Plan of {len(self)} steps: {'; '.join(taken)}>" if len(taken) <= 20 else f"<Plan of {len(self)} steps>"

    def _repr_html_(self) -> str:
        return page_frame(_core.plan_page(self._core))


class Evidence:
    """What data says of a plan: "proved" is about the model, and this about the world. As a truth value: everything was seen."""

    def __init__(self, answer: Dict[str, Any]):
        #: of the network on all of the data
        self.errors: Errors = errors_of(answer["errors"])
        #: of each step, whether the data has its state and action
        self.seen: Array = np.array(answer["seen"], dtype=bool)
        #: steps that are in the data, with another state after them
        self.contradicted: int = answer["contradicted"]
        #: the first step that is not in the data, and the first one that it contradicts, from 1; None if there is none
        self.first_unseen: Optional[int] = answer["first_unseen_step"]
        self.first_contradicted: Optional[int] = answer["first_contradicted_step"]
        self._text: str = answer["text"]

    def __bool__(self) -> bool:
        return bool(self.seen.all()) and self.contradicted == 0

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Evidence: {int(self.seen.sum())} of {len(self.seen)} steps seen, {self.contradicted} contradicted>"


class Bound(NamedTuple):
    """What was known of the optimal cost at some time."""

    seconds: float
    lower: Optional[Exact]
    upper: Optional[Exact]


class PlanResult(JsonFile):
    """What planning found.

    ``status`` is "optimal" (proved), "plan" (a plan, not proved optimal), "infeasible" (proved that there is none) or
    "unknown" (a limit was reached first). As a truth value it says whether there is a plan. ``write`` writes a result file, which is
    a plan file, too; ``to_json`` is what `bnnplan plan --json` prints.
    """

    _core: CoreOutcome

    def __init__(self, core: CoreOutcome):
        self._core = core
        held = core.plan
        self._plan = None if held is None else Plan(held)

    def __bool__(self) -> bool:
        return self._plan is not None

    @property
    def status(self) -> str:
        """"optimal", "plan", "infeasible" or "unknown"."""
        return self._core.status

    @property
    def plan(self) -> Optional[Plan]:
        """The plan, replayed by the checker; None if there is none."""
        return self._plan

    @property
    def cost(self) -> Optional[Exact]:
        """What the plan costs, exactly; minus the reward where the problem maximizes."""
        return exact_or_none(self._core.cost)

    @property
    def reward(self) -> Optional[Exact]:
        """The total reward of the plan, exactly: minus its cost."""
        cost = self.cost
        return None if cost is None else -cost

    @property
    def lower_bound(self) -> Optional[Exact]:
        """No plan costs less; proved."""
        return exact_or_none(self._core.lower_bound)

    @property
    def bounds(self) -> List[Bound]:
        """What was known over time."""
        return [Bound(seconds, exact_or_none(lower), exact_or_none(upper)) for seconds, lower, upper in self._core.bounds]

    @property
    def engine(self) -> str:
        """The engine that gave the answer."""
        return self._core.engine

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self._core.seconds

    @property
    def stopped(self) -> str:
        """Why it ended early, "time limit" for example, or ""."""
        return self._core.stopped

    @property
    def horizon(self) -> int:
        """The number of steps that was planned for."""
        return self._core.horizon

    @property
    def excluded(self) -> int:
        """With ``shortest``: it is proved that no plan has from 1 to this many steps."""
        return self._core.excluded

    @property
    def claimed_by(self) -> str:
        """The external solver that claims what was not proved by bnnplan itself, or ""."""
        return self._core.claimed_by

    @property
    def domain_reward(self) -> Optional[Exact]:
        """What the true domain gives for the plan, where there was one to repair for."""
        return exact(self._core.domain_reward) if self._core.domain_reward else None

    @property
    def proof(self) -> Optional[Path]:
        """The file that a proof was written to."""
        return Path(self._core.proof) if self._core.proof else None

    @property
    def statistics(self) -> Dict[str, Union[int, float, str]]:
        """Counts of the engine."""
        return self._core.statistics

    @property
    def actions(self) -> Dict[str, Array]:
        """The actions of the plan: ``plan.actions``."""
        return self._require().actions

    @property
    def states(self) -> Dict[str, Array]:
        """The states of the plan: ``plan.states``."""
        return self._require().states

    def evidence(self, data: Transitions) -> Evidence:
        """How far data bears the plan out: ``plan.evidence``."""
        return self._require().evidence(data)

    def to_pandas(self) -> Any:
        """The plan as a pandas DataFrame."""
        return self._require().to_pandas()

    def write_report(self, path: Union[str, Path]) -> None:
        """Writes the page of `bnnplan report`: the plan step by step, with pictures."""
        Path(path).write_text(_core.report_page([self._core], "the problem"), encoding="utf-8")

    def _require(self) -> Plan:
        if self._plan is None:
            raise ValueError(f"there is no plan: the result is {self.status}")
        return self._plan

    def __str__(self) -> str:
        return self._core.text(True).rstrip("\n")

    def __repr__(self) -> str:
        name, value = ("reward", self.reward) if self._core.maximizes else ("cost", self.cost)
        parts = [self.status, f"horizon {self.horizon}"]
        if value is not None:
            parts.append(f"{name} {value}")
        elif self.lower_bound is not None:
            parts.append(f"lower bound {self.lower_bound}")
        parts.append(f"engine {self.engine}, {self.seconds:.3f} s")
        return f"<PlanResult {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return page_frame(_core.report_page([self._core], self._core.problem.name or "the problem"))


class StateDifference(NamedTuple):
    """What problem and domain say of a variable after a step, where they say different things."""

    step: int
    variable: str
    problem: str
    domain: str


class PlanEpisodes(NamedTuple):
    """A plan executed in a domain again and again."""

    episodes: int
    mean: float  #: of the sum of rewards, discounted as the instance says
    deviation: float
    refused: int  #: episodes with an illegal action or a broken invariant
    goals: Optional[int]  #: episodes that end with the goal; None if the domain has none
    first_violation: str  #: of the first episode that is refused


def _episodes(answer: Dict[str, Any]) -> PlanEpisodes:
    violation = answer["domain_violation"] or ""
    return PlanEpisodes(
        answer["episodes"], answer["mean_reward"], answer["deviation"], answer["refused_episodes"], answer["goals"], violation
    )


class Check:
    """What replaying a plan found. As a truth value it says whether the plan is accepted."""

    def __init__(self, answer: Dict[str, Any], optimum: Optional[PlanResult] = None):
        #: whether the plan is valid in the problem and, if one was given, in the domain
        self.accepted: bool = answer["accepted"]
        #: the first thing that is wrong in the problem, or ""
        self.violation: str = answer["violation"] or ""
        #: the step it is in, 0 for the initial state
        self.step: int = answer.get("step", 0)
        #: the cost as recomputed; None if the plan is refused
        self.cost: Optional[Exact] = exact_or_none(answer["cost"])
        #: the plan with everything said that follows; None if it is refused
        self.plan: Optional[Plan] = Plan(answer["plan"]) if "plan" in answer else None
        replayed = "valid_in_domain" in answer
        #: the first thing that is wrong in the domain, or ""; None if no domain was given
        self.domain_violation: Optional[str] = answer["domain_violation"] or "" if replayed else None
        #: the sum of rewards in the domain, an exact number as text
        self.domain_reward: Optional[str] = answer.get("domain_reward")
        #: how the states of the problem differ from those of the domain, or ""
        self.difference: Optional[str] = answer["difference"] or "" if replayed else None
        #: how the model promises another reward than the domain gives, or ""
        self.promise: Optional[str] = answer.get("promise", "") if replayed else None
        #: where problem and domain say different things of the state after a step
        self.differences: List[StateDifference] = [
            StateDifference(each["step"], each["variable"], str(each["model"]), str(each["domain"]))
            for each in answer.get("differences", [])
        ]
        #: what happened in a domain that is random or has real fluents, over many episodes; None of other domains
        self.episodes: Optional[PlanEpisodes] = _episodes(answer) if "episodes" in answer else None
        #: the best plan of the domain itself, if it was asked for
        self.optimum: Optional[PlanResult] = optimum
        #: how much less the plan gives in the domain, an exact number as text; None where that or the optimum is not known
        self.gap: Optional[str] = answer.get("gap")
        #: the same in words, or ""
        self.gap_text: str = answer.get("gap_text", "").rstrip("\n")

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        if self.accepted:
            return f"<Check accepted, cost {self.cost}>"
        return f"<Check refused: {self.violation or self.domain_violation}>"


class ProofCheck:
    """What a proof shows of a problem. As a truth value it says whether the proof is accepted."""

    def __init__(self, answer: Dict[str, Any]):
        #: whether every step of it is right
        self.accepted: bool = answer["accepted"]
        #: the first step that is not
        self.refusal: str = answer["refusal"] or ""
        #: the optimum that it proves, or None
        self.cost: Optional[Exact] = exact_or_none(answer["cost"])
        #: whether it proves that there is no plan
        self.infeasible: bool = answer["claim"] == "infeasible"

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        if not self.accepted:
            return f"<ProofCheck refused: {self.refusal}>"
        if self.infeasible:
            return "<ProofCheck accepted: there is no plan>"
        return f"<ProofCheck accepted: optimum {self.cost}>"


class Comparison:
    """Results of several engines for one problem, as :meth:`Problem.compare` makes them."""

    def __init__(self, results: Dict[str, PlanResult]):
        #: the results by engine
        self.results = results

    def __getitem__(self, engine: str) -> PlanResult:
        return self.results[engine]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def rows(self) -> List[Dict[str, Any]]:
        """A dictionary for each engine."""
        return [
            {
                "engine": name,
                "status": result.status,
                "cost": result.cost,
                "lower_bound": result.lower_bound,
                "seconds": result.seconds,
            }
            for name, result in self.results.items()
        ]

    def to_pandas(self) -> Any:
        """A pandas DataFrame, one row per engine."""
        import pandas

        return pandas.DataFrame(self.rows()).set_index("engine")

    def __str__(self) -> str:
        lines = [f"{'engine':10} {'status':11} {'cost':>8} {'bound':>8} {'seconds':>9}"]
        for row in self.rows():
            cost, bound = ("-" if row[key] is None else str(row[key]) for key in ("cost", "lower_bound"))
            lines.append(f"{row['engine']:10} {row['status']:11} {cost:>8} {bound:>8} {row['seconds']:9.3f}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cores = [result._core for result in self.results.values()]
        return page_frame(_core.report_page(cores, cores[0].problem.name or "the problem"))
