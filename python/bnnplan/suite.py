"""The benchmark suites as files: the 45 problems, and a ladder of new ones of any size."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from .arguments import named_arguments
from .errors import InputError, unless_raised
from .options import takes_options
from .progress import Bar, Wanted, bar_wanted, check_wanted

__all__ = ["Suite", "SuiteProgress", "ladder_names", "make_ladder", "make_suite"]

PathLike = Union[str, "os.PathLike[str]"]


class SuiteProgress(NamedTuple):
    """The progress of a suite: how many problems are done, and what is being done with this one or was found."""

    done: int
    all: int
    name: str
    activity: str
    finished: bool


class Suite:
    """What was written. As a truth value it says whether every problem has a proved answer."""

    def __init__(self, folder: Path, answer: Dict[str, Any]):
        #: the index: a dictionary of texts for each file, also of those that earlier runs wrote
        self.entries: List[Dict[str, str]] = answer["entries"]
        #: how many files were written in this run, and how many were complete before it
        self.made: int = answer["made"]
        self.kept: int = answer["kept"]
        #: how many of the wanted problems have no proved answer
        self.unproved: int = answer["unproved"]
        #: how many have a proof that was checked
        self.proofs: int = answer["proofs"]
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


def _make(output: PathLike, source: str, folder: Path, progress: Wanted, options: Dict[str, Any]) -> Suite:
    call, close = told(progress)
    try:
        answer = _core.suite(Path(output), source, folder, options, call)
    finally:
        close()
    return unless_raised(Suite(Path(output), answer), answer["raised"])


@named_arguments
@takes_options("suite", without=("seed",))
def make_suite(
    output: PathLike,
    *,
    models: Optional[PathLike] = None,
    published: Optional[PathLike] = None,
    progress: Wanted = None,
    **options: Any,
) -> Suite:
    """Writes the 45 benchmark problems for other solvers, with an index of their optima.

    What the index has already, with its file complete, is not done again: after an interruption the same call continues.

    Args:
        output: the folder to write to
        models: the folder of the learned models, if not those that come with bnnplan
        published: the folder of the published networks (FD-SAT-Plan), to take these instead
        progress: called with a :class:`SuiteProgress`; True for a bar, False for nothing
    """
    folder = shipped_folder(models, "models") if published is None else Path(published)
    return _make(output, "shipped" if published is None else "published", folder, progress, options)


@named_arguments
def ladder_names(*, seed: int = 1, family: str = "", only: Union[str, Sequence[str]] = ()) -> List[str]:
    """The names of the problems that :func:`make_ladder` would write."""
    return _core.ladder_names({"seed": seed, "family": family, "only": only})


@named_arguments
@takes_options("suite")
def make_ladder(
    output: PathLike,
    *,
    domains: Optional[PathLike] = None,
    progress: Wanted = None,
    **options: Any,
) -> Suite:
    """Writes a ladder of new problems, from easy to open, with an index of what is known of them.

    Args:
        output: the folder to write to
        domains: the folder of the four domains, if not those that come with bnnplan
        progress: called with a :class:`SuiteProgress`; True for a bar, False for nothing
    """
    return _make(output, "ladder", shipped_folder(domains, "domains"), progress, options)
