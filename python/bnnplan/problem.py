"""Planning problems: read, built, planned for."""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _core
from .arguments import named_arguments_of
from .errors import InputError, Interrupted, unless_raised
from .expression import Constraint, Expression, Variable, exact_number, number_text
from .formula import Formula
from .html import facts_table
from .network import Network
from .options import takes_options
from .plan import Check, Comparison, Plan, PlanResult, ProofCheck
from .progress import PlanProgress, Wanted

__all__ = ["Problem"]

PathLike = Union[str, "os.PathLike[str]"]
PlanLike = Union[Plan, PlanResult, Mapping[str, Any], PathLike]
PLACES = ("state", "action", "auxiliary")


@named_arguments_of
class Problem:
    """A planning problem: states, actions, what a step does, constraints, a goal, and what to minimize.

    Read one (:meth:`read`) or build one::

        problem = bnnplan.Problem("light", horizon=3)
        lit, press = problem.state("lit", initial=0), problem.action("press")
        problem.add(lit.next == lit + press)      # a known transition, since it speaks of the next state
        problem.add_goal(lit == 1)
        problem.minimize(press)
        result = problem.plan()
        result.status, result.cost                # "optimal", 1

    What a step does to the other state variables is said by a network: ``problem.network = Network(...)``, whose inputs and
    outputs are named after variables.
    """

    def __init__(self, name: str = "", horizon: Optional[int] = None):
        self._core = _core.Problem(name)
        self._owner = uuid.uuid4().hex
        if horizon is not None:
            self.horizon = horizon

    @classmethod
    def _of(cls, core: _core.Problem, owner: str = "") -> "Problem":
        problem = cls.__new__(cls)
        problem._core = core
        problem._owner = owner or uuid.uuid4().hex  # of its variables, and of those of its copies
        return problem

    # Files

    @classmethod
    @takes_options("read")
    def read(cls, path: PathLike, allow_outside: bool = False, **options: Any) -> "Problem":
        """Reads a problem file (TOML) and the network that it names, which must lie in its folder or below.

        Args:
            path: the file
            allow_outside: take a network from anywhere, if you trust the file
        Raises:
            InputError: with file and line, for what is wrong with either
        """
        return cls._of(_core.Problem.read(Path(path), {"allow_outside": allow_outside, **options}))

    @classmethod
    def parse(cls, text: str, folder: PathLike = ".", name: str = "the problem") -> "Problem":
        """The same from text. Networks are looked for in the folder; the name stands for the file in errors."""
        return cls._of(_core.Problem.parse(text, name, Path(folder)))

    @classmethod
    def read_fd_sat_plan(cls, folder: PathLike, domain: str, instance: str) -> "Problem":
        """Reads a published problem from the files of FD-SAT-Plan. These state no horizon."""
        return cls._of(_core.read_fd_sat_plan(Path(folder), domain, instance))

    def write(self, path: PathLike) -> None:
        """Writes the problem file and, beside it, its network."""
        if self._core.network is not None and not self._core.network_file:
            self._core.set_network_file(Path(path).stem + ".bnn")
        self._core.write(Path(path))

    @property
    def text(self) -> str:
        """The problem file as text."""
        return self._core.text()

    def copy(self) -> "Problem":
        """A problem of its own that is the same so far."""
        return Problem._of(self._core.copy(), self._owner)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Problem":
        return self.copy()

    def __getstate__(self) -> Tuple[_core.Problem, str]:
        return self._core, self._owner

    def __setstate__(self, state: Tuple[_core.Problem, str]) -> None:
        self._core, self._owner = state

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        return self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    # Variables

    def _add_variable(self, place: str, name: str, bits: Optional[int], signed: bool, scale: int) -> Variable:
        if bits is None and (signed or scale):
            raise InputError(f"'{name}' is Boolean: only an integer, which has bits, is signed or scaled")
        width = 1 if bits is None else bits
        self._core.add_variable(place, name, bits is None, width, signed, scale)
        return Variable(name, bits is None, width, signed, scale, owner=self._owner)

    def state(self, name: str, bits: Optional[int] = None, *, signed: bool = False, scale: int = 0, initial: Any = None) -> Variable:
        """Adds a state variable: a Boolean, or an integer with this number of bits.

        Args:
            name: any text; it has to be another one than those of all other variables
            bits: None for a Boolean, otherwise 1 to 60
            signed: two's complement, from -2^(bits-1) to 2^(bits-1) - 1, instead of 0 to 2^bits - 1
            scale: the variable is the integer times 10^scale
            initial: its value in the beginning; if None, the planner chooses it
        """
        variable = self._add_variable("state", name, bits, signed, scale)
        if initial is not None:
            self.set_initial({name: initial})
        return variable

    def action(self, name: str, bits: Optional[int] = None, *, signed: bool = False, scale: int = 0) -> Variable:
        """Adds an action variable; the arguments are those of :meth:`state`."""
        return self._add_variable("action", name, bits, signed, scale)

    def auxiliary(self, name: str, bits: Optional[int] = None, *, signed: bool = False, scale: int = 0) -> Variable:
        """Adds an auxiliary variable, which has a value in every step and whose name constraints may use."""
        return self._add_variable("auxiliary", name, bits, signed, scale)

    def variables(self, place: Optional[str] = None) -> Dict[str, Variable]:
        """The variables by name: all, or those of "state", "action" or "auxiliary"."""
        found: Dict[str, Variable] = {}
        for each in PLACES if place is None else (place,):
            for name, boolean, bits, signed, scale in self._core.variables(each):
                found[name] = Variable(name, boolean, bits, signed, scale, owner=self._owner)
        return found

    def __getitem__(self, name: str) -> Variable:
        """A variable by name."""
        if not isinstance(name, str):
            raise TypeError("a variable is given by its name")
        variables = self.variables()
        if name not in variables:
            raise KeyError(f"the problem has no variable '{name}'")
        return variables[name]

    # Initial state

    def set_initial(self, values: Mapping[str, Any]) -> None:
        """Gives state variables, or single bits of them (``"x.0"``), their value in the beginning; None leaves it to the planner."""
        for name, value in dict(values).items():
            if not isinstance(name, str):
                raise TypeError("initial values are given by the names of variables")
            if value is None:
                self._core.free_initial(name)
            else:
                self._core.set_initial(name, number_text(exact_number(value)))

    @property
    def initial(self) -> Dict[str, Any]:
        """The initial values that are known, by variable, or by bit where only some of its bits are."""
        from .plan import values_of_bits

        bits = self._core.initial
        found: Dict[str, Any] = {}
        first = 0
        for facts in self._core.variables("state"):
            name, boolean, width = facts[:3]
            own = bits[first : first + width]
            first += width
            if (own >= 0).all():
                found[name] = values_of_bits([facts], own[None, :])[name][0].item()
            else:
                found.update({f"{name}.{bit}": int(value) for bit, value in enumerate(own) if value >= 0})
        return found

    # What holds

    def _own(self, expression: Expression) -> Expression:
        if expression._owner not in (None, self._owner):
            raise InputError(f"{expression.text}: of variables of another problem, expected those of this one")
        return expression

    def _constraint_texts(self, constraint: Any) -> List[str]:
        if isinstance(constraint, Formula):
            return [text for clause in constraint.constraints() for text in self._constraint_texts(clause)]
        if isinstance(constraint, Constraint):
            self._own(constraint.left)
            self._own(constraint.right)
            return [constraint.text]
        if isinstance(constraint, str):
            return [constraint]
        if isinstance(constraint, Expression) and constraint._is_bit:
            return self._constraint_texts(constraint == 1)
        if isinstance(constraint, bool):
            raise TypeError("True or False is not a constraint: does it compare variables of this problem?")
        raise TypeError(f"expected a constraint such as left + right <= 1, not {type(constraint).__name__}")

    def add(self, *constraints: Union[Constraint, Formula, Expression, str]) -> None:
        """Adds constraints, which hold in every step; those with a next state in them are known transitions.

        Each is a comparison of expressions, ``problem.add(left + right <= 1)``, its text, ``"left + right <= 1"``, or a Boolean
        expression, ``problem.add(left.implies(~right))``, which becomes one constraint per clause.
        """
        for constraint in constraints:
            for text in self._constraint_texts(constraint):
                self._core.add_constraint(text)

    def add_goal(self, *constraints: Union[Constraint, Formula, Expression, str]) -> None:
        """Adds constraints on the state in the end; of the same kinds."""
        for constraint in constraints:
            for text in self._constraint_texts(constraint):
                self._core.add_goal(text)

    def clear_goals(self) -> None:
        """Drops the goal: any state will do in the end."""
        self._core.clear_goals()

    def _expression_text(self, expression: Any) -> str:
        return expression if isinstance(expression, str) else self._own(Expression.of(expression)).text

    def minimize(self, expression: Union[Expression, str, int]) -> None:
        """What every step costs: an expression over actions and the next state (``x.next``)."""
        self._core.set_objective(self._expression_text(expression), False)

    def maximize(self, expression: Union[Expression, str, int]) -> None:
        """The reward of every step, an expression as in ``minimize``."""
        self._core.set_objective(self._expression_text(expression), True)

    @property
    def constraints(self) -> List[str]:
        """The constraints of every step, as texts."""
        return self._core.constraints

    @property
    def transitions(self) -> List[str]:
        """The known transitions."""
        return self._core.transitions

    @property
    def goals(self) -> List[str]:
        """The constraints on the last state."""
        return self._core.goals

    @property
    def objective(self) -> Optional[str]:
        """What is minimized or, if it begins so, maximized: "minimize left + right"; None if any plan is as good."""
        text = self._core.objective
        return f"{'maximize' if self._core.maximizes else 'minimize'} {text}" if text else None

    @property
    def name(self) -> str:
        """The name of the problem."""
        return self._core.name

    @name.setter
    def name(self, name: str) -> None:
        self._core.set_name(name)

    @property
    def horizon(self) -> Optional[int]:
        """The number of steps; None if the problem does not state it."""
        return self._core.horizon or None

    @horizon.setter
    def horizon(self, steps: int) -> None:
        self._core.set_horizon(steps)

    @property
    def network(self) -> Optional[Network]:
        """The network that gives the next state, or None."""
        core = self._core.network
        return None if core is None else Network._of(core)

    @network.setter
    def network(self, network: Union[Network, PathLike]) -> None:
        if not isinstance(network, Network):
            network = Network.read(network)
        self._core.set_network(network._core, self._core.network_file)

    # Planning

    @takes_options("plan")
    def plan(self, horizon: Optional[int] = None, *, repair: Any = None, progress: Wanted = None, **options: Any) -> PlanResult:
        """Finds an optimal plan, and proves it.

        Args:
            horizon: the number of steps, if not the problem's own; with ``shortest`` the most steps tried
            repair: a :class:`bnnplan.rddl.Domain`; the plan has to be valid there, too
            progress: a function that is called with a :class:`Progress` several times a second; True for a bar, False for
                none; if None a bar in a terminal or notebook
        Raises:
            InputError: for what is wrong with the problem or the arguments
            Interrupted: a KeyboardInterrupt after Ctrl-C, with the best result so far in it
        """
        from .rddl import require_domain

        domain = None if repair is None else require_domain(repair)._core
        told = PlanProgress(progress)
        try:
            outcome, raised = _core.plan(self._core, horizon, options, domain, told.callback)
        finally:
            told.close()
        return unless_raised(PlanResult(outcome), raised)

    def compare(self, engines: Iterable[str] = ("search", "neuron", "maxsat"), **options: Any) -> Comparison:
        """Plans with several engines, one after the other; the options are those of :meth:`plan`."""
        names = [engines] if isinstance(engines, str) else list(engines)
        if not names:
            raise InputError("a comparison needs at least one engine")
        results: Dict[str, PlanResult] = {}
        for name in names:
            try:
                results[name] = self.plan(engine=name, **options)
            except Interrupted as interrupted:
                results[name] = interrupted.result
                raise Interrupted(Comparison(results)) from None
        return Comparison(results)

    # Plans and solvers of others

    def _plan_of(self, plan: PlanLike) -> _core.Plan:
        if isinstance(plan, PlanResult):
            plan = plan._require()
        if isinstance(plan, Plan):
            return _core.parse_plan(self._core, plan.to_json(), "the plan")
        if isinstance(plan, Mapping):
            return _core.parse_plan(self._core, json.dumps(plan), "the plan")
        if isinstance(plan, list):
            return _core.parse_plan(self._core, json.dumps({"steps": [{"actions": step} for step in plan]}), "the plan")
        path = Path(plan)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}: is not text", str(path)) from None
        return _core.parse_plan(self._core, text, str(path))

    @takes_options("check", without=("instance",))
    def check(self, plan: PlanLike, domain: Any = None, **options: Any) -> Check:
        """Replays a plan by the independent checker.

        Args:
            plan: a plan, a result, a plan file, a dictionary as in one, or a list of the actions of each step
            domain: a :class:`bnnplan.rddl.Domain` to replay it in, too
        """
        from .rddl import require_domain

        steps = self._plan_of(plan)
        true_domain = None if domain is None else require_domain(domain)
        best = None
        if options.get("optimum"):
            if true_domain is None:
                raise InputError("optimum is that of a domain: give one")
            time_limit = options.get("time_limit")
            compiled = true_domain.compile(horizon=self.horizon or len(steps), time_limit=time_limit)
            best = compiled.plan(time_limit=time_limit, progress=False)
        world, optimal = None if true_domain is None else true_domain._core, None if best is None else best._core
        answer = _core.check(self._core, steps, world, options, optimal)
        return Check(answer, best)

    def check_proof(self, path: PathLike) -> ProofCheck:
        """Checks a proof, independently of what wrote it."""
        return ProofCheck(_core.check_proof(self._core, Path(path)))

    @takes_options("encode", without=("to",))
    def encode(
        self,
        format: str = "wcnf",
        path: Optional[PathLike] = None,
        *,
        cost_at_most: Any = None,
        **options: Any,
    ) -> Optional[str]:
        """The problem for a solver of others: one of :func:`bnnplan.formats`.

        Writes the file (compressed if its name ends in .gz), or returns its text if there is no path.
        """
        options["format"] = format
        if cost_at_most is not None:
            options["cost_at_most"] = number_text(exact_number(cost_at_most))
        if path is not None:
            if os.fspath(path) == "-":
                raise InputError("expected the name of a file: without one, the text is returned")
            _core.encode(self._core, options, Path(path))
            return None
        with tempfile.TemporaryDirectory(prefix="bnnplan-") as folder:
            file = Path(folder) / "model"
            try:
                _core.encode(self._core, options, file)
            except InputError as error:  # without the name of a temporary file
                raise InputError(error.message) from None
            return file.read_text(encoding="utf-8")

    @takes_options("decode")
    def decode(self, answer: Union[str, PathLike], **options: Any) -> PlanResult:
        """What a solver printed, or its solution file (a Path), as a plan that has been replayed."""
        if isinstance(answer, str):
            return PlanResult(_core.decode(self._core, answer, "the answer", options))
        path = Path(answer)
        text = path.read_text(encoding="utf-8", errors="replace")
        return PlanResult(_core.decode(self._core, text, str(path), options))

    # For people

    def __str__(self) -> str:
        return self._core.describe().rstrip("\n")

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self._core.variables(place))} {place}" for place in PLACES[:2])
        return f"<Problem {self.name or 'without a name'}: {counts} variables, horizon {self.horizon}>"

    def _repr_html_(self) -> str:
        picture = _core.picture(self._core)
        shown = f"<pre>{escape(picture)}</pre>" if picture else ""
        lists = [("at every step", self.constraints), ("known transitions", self.transitions), ("in the end", self.goals)]
        for title, texts in lists:
            if texts:
                rows = "".join(f"<li><code>{escape(text)}</code></li>" for text in texts[:50])
                more = f"<li>and {len(texts) - 50} more</li>" if len(texts) > 50 else ""
                shown += f"<details><summary>{title}: {len(texts)}</summary><ul>{rows}{more}</ul></details>"
        return facts_table(self._core.describe()) + shown
