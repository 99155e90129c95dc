"""Progress of what runs long: by callback, and as a line in a terminal or notebook."""

from __future__ import annotations

import sys
from typing import Any, Callable, NamedTuple, Optional, Union

from .exact import Exact, exact_or_none

__all__ = ["Progress"]


class Progress(NamedTuple):
    """Where a run is. Costs are those of the problem, None where nothing is known."""

    seconds: float
    activity: str
    lower_bound: Optional[Exact]
    best_cost: Optional[Exact]
    memory_bytes: int


#: True: a bar; False: nothing; None: a bar in a terminal or notebook; or what is called with each Progress.
Wanted = Union[None, bool, Callable[[Any], object]]


def in_notebook() -> bool:
    kernel = sys.modules.get("ipykernel")
    if kernel is None:
        return False
    try:
        from IPython import get_ipython

        return "IPKernelApp" in get_ipython().config
    except Exception:
        return False


class Bar:
    """One line that is written over and over, from the first half second on; it is wiped at the end."""

    def __init__(self) -> None:
        self._notebook = in_notebook()
        self._handle: Any = None
        self._shown = 0

    def show(self, seconds: float, text: str, share: Optional[float] = None) -> None:
        if seconds < 0.5:
            return
        if share is not None:
            full = int(20 * min(max(share, 0.0), 1.0))
            text = "[" + "=" * full + " " * (20 - full) + "] " + text
        if self._notebook:
            from IPython.display import HTML, display
            from html import escape

            page = HTML(f"<pre>{escape(text)}</pre>")
            if self._handle is None:
                self._handle = display(page, display_id=True)
            else:
                self._handle.update(page)
            return
        text = text[:110]
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)

    def close(self) -> None:
        if self._notebook:
            if self._handle is not None:
                from IPython.display import HTML

                self._handle.update(HTML(""))
        elif self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()


def bar_wanted(wanted: Wanted) -> bool:
    if wanted is None:
        return in_notebook() or bool(getattr(sys.stderr, "isatty", lambda: False)())
    return wanted is True


def check_wanted(wanted: Any) -> None:
    if wanted is not None and not isinstance(wanted, bool) and not callable(wanted):
        raise TypeError("progress is True, False, None or a function")


class PlanProgress:
    """Turns what an engine tells into calls, or a bar."""

    def __init__(self, wanted: Wanted):
        check_wanted(wanted)
        self._call = wanted if callable(wanted) else None
        self._bar = Bar() if self._call is None and bar_wanted(wanted) else None

    @property
    def callback(self) -> Optional[Callable[..., None]]:
        return self._told if self._call or self._bar else None

    def _told(self, seconds: float, activity: str, lower: Optional[str], best: Optional[str], memory: int) -> None:
        progress = Progress(seconds, activity, exact_or_none(lower), exact_or_none(best), memory)
        if self._call:
            self._call(progress)
        elif self._bar:
            best_text = "none" if best is None else best
            bound_text = "none" if lower is None else lower
            self._bar.show(seconds, f"{seconds:.1f} s  best {best_text}  bound {bound_text}  {activity}")

    def close(self) -> None:
        if self._bar:
            self._bar.close()
