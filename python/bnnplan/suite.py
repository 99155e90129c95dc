"""The benchmark suites as files: the 45 problems, and a ladder of new ones of any size."""

from __future__ import annotations

import csv
import io
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from .arguments import named_arguments
from .errors import InputError, unless_raised
from .exact import thread_count
from .progress import Bar, Wanted, bar_wanted, check_wanted

__all__ = ["Suite", "SuiteProgress", "ladder_names", "make_ladder", "make_suite"]

PathLike = Union[str, "os.PathLike[str]"]


class SuiteProgress(NamedTuple):
    """Where a suite is: so many of all problems are done; what is being done with this one, or was found."""

    done: int
    all: int
    name: str
    activity: str
    finished: bool


class Suite:
    """What was written. As a truth value it says whether every problem has a proved answer."""

    def __init__(self, folder: Path, answer: Dict[str, Any]):
        #: the index: a dictionary of texts for each file, also of those that earlier runs wrote
        self.entries: List[Dict[str, str]] = list(csv.DictReader(io.StringIO(answer["index"])))
        #: how many files were written in this run, and how many were complete before it
        self.made: int = answer["made"]
        self.kept: int = answer["kept"]
        #: how many of the wanted problems have no proved answer
        self.unproved: int = answer["unproved"]
        #: how many have a proof that was checked
        self.proofs: int = answer["proofs"]
        #: the archive of a submission, or None
        self.archive: Optional[Path] = Path(answer["archive"]) if str(answer["archive"]) not in ("", ".") else None
        #: the folder with the files and their index.csv
        self.folder: Path = folder

    def to_pandas(self) -> Any:
        """The index as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.entries)

    def __bool__(self) -> bool:
        return self.unproved == 0

    def __repr__(self) -> str:
        return f"<Suite in {self.folder}: {self.made} written, {self.kept} complete already, {self.unproved} without a proof>"


def shipped_folder(given: Optional[PathLike], name: str) -> Path:
    """The folder given, or the one that comes with bnnplan: here, as in a checkout, or where it is installed."""
    if given is not None:
        return Path(given)
    installed = [Path(prefix) / "share" / "bnnplan" / name for prefix in (sys.prefix, "/usr/local", "/usr")]
    for folder in [Path(name), *installed]:
        if folder.is_dir():
            return folder
    raise InputError(f"no folder '{name}' here, nor one that is installed: name it with {name}=")


def as_names(given: Union[str, Sequence[str]]) -> List[str]:
    return [given] if isinstance(given, str) else list(given)


def told(wanted: Wanted) -> Tuple[Optional[Callable[..., None]], Callable[[], None]]:
    """What the work calls, and what closes the bar."""
    check_wanted(wanted)
    if callable(wanted):
        call = wanted

        def pass_on(*parts: Any) -> None:
            call(SuiteProgress(*parts))

        return pass_on, lambda: None
    if not bar_wanted(wanted):
        return None, lambda: None
    bar, start = Bar(), time.monotonic()

    def show(done: int, of: int, name: str, activity: str, finished: bool) -> None:
        bar.show(time.monotonic() - start, f"{done}/{of} {name}: {activity}", done / max(of, 1))

    return show, bar.close


def _make(
    output: PathLike,
    source: str,
    folder: Path,
    formats: Union[str, Sequence[str]],
    packing: str,
    family: str,
    only: Union[str, Sequence[str]],
    seed: int,
    neurons: str,
    gap_free: bool,
    proof: bool,
    engines: Union[str, Sequence[str]],
    submission: str,
    time_limit: Optional[float],
    threads: Optional[int],
    progress: Wanted,
) -> Suite:
    call, close = told(progress)
    try:
        answer = _core.suite(
            Path(output), source, folder, as_names(formats), packing, family, as_names(only), seed, neurons, gap_free, proof,
            as_names(engines), submission, time_limit, thread_count(threads), call,
        )  # fmt: skip
    finally:
        close()
    return unless_raised(Suite(Path(output) / "benchmarks" if submission else Path(output), answer), answer["raised"])


@named_arguments
def make_suite(
    output: PathLike,
    *,
    formats: Union[str, Sequence[str]] = "wcnf",
    models: Optional[PathLike] = None,
    published: Optional[PathLike] = None,
    family: str = "",
    only: Union[str, Sequence[str]] = (),
    neurons: str = "auto",
    gap_free: bool = False,
    proof: bool = False,
    engines: Union[str, Sequence[str]] = "auto",
    packing: str = "",
    time_limit: Optional[float] = None,
    threads: Optional[int] = None,
    progress: Wanted = None,
) -> Suite:
    """Writes the 45 benchmark problems for solvers of others, with an index of their optima.

    What the index has already, with its file complete, is not done again: after an interruption the same call goes on.

    Args:
        output: the folder to write to
        formats: one or several of :func:`bnnplan.formats`
        models: the folder of the learned models, if not those that come with bnnplan
        published: the folder of the published networks (FD-SAT-Plan), to take these instead
        family: only "navigation", "inventory", "sysadmin" or "cellda"
        only: only these problems, such as "navigation_3x3_4"
        neurons: how neurons become clauses
        gap_free: number the variables of a file without gaps
        proof: write a proof beside every problem that is solved, and check it
        engines: the engines whose times are in the index
        packing: "gz" or "xz"
        time_limit: seconds for each engine on each problem
        threads: all of the machine if not given
        progress: called with a :class:`SuiteProgress`; True for a bar, False for nothing
    """
    folder = shipped_folder(models, "models") if published is None else Path(published)
    return _make(
        output, "shipped" if published is None else "published", folder, formats, packing, family, only, 1, neurons, gap_free, proof, engines,
        "", time_limit, threads, progress,
    )  # fmt: skip


@named_arguments
def ladder_names(*, seed: int = 1, family: str = "", only: Union[str, Sequence[str]] = ()) -> List[str]:
    """The names of the problems that :func:`make_ladder` would write."""
    return _core.ladder_names(seed, family, as_names(only))


@named_arguments
def make_ladder(
    output: PathLike,
    *,
    formats: Union[str, Sequence[str]] = "wcnf",
    domains: Optional[PathLike] = None,
    family: str = "",
    only: Union[str, Sequence[str]] = (),
    seed: int = 1,
    neurons: str = "auto",
    gap_free: bool = False,
    proof: bool = False,
    engines: Union[str, Sequence[str]] = "auto",
    packing: str = "",
    submission: str = "",
    time_limit: Optional[float] = None,
    threads: Optional[int] = None,
    progress: Wanted = None,
) -> Suite:
    """Writes a ladder of new problems, from easy to open, with an index of what is known of them.

    Args:
        output: the folder to write to
        formats: one or several of :func:`bnnplan.formats`
        domains: the folder of the four domains, if not those that come with bnnplan
        family: only this one: "navigation-known", "random", ...
        only: these problems instead, of any size: "navigation-known_n12_h30_s1"
        seed: another ladder of the same sizes
        neurons: how neurons become clauses
        gap_free: number the variables of a file without gaps
        proof: write a proof beside every problem that is solved, and check it
        engines: the engines whose times are in the index
        packing: "gz" or "xz"
        submission: "maxsat" or "pb": all that the MaxSAT Evaluation or the PB Competition asks for
        time_limit: seconds for each engine on each problem
        threads: all of the machine if not given
        progress: called with a :class:`SuiteProgress`; True for a bar, False for nothing
    """
    return _make(
        output, "ladder", shipped_folder(domains, "domains"), formats, packing, family, only, seed, neurons, gap_free, proof, engines,
        submission, time_limit, threads, progress,
    )  # fmt: skip
