"""What goes wrong: the exceptions of bnnplan."""

from __future__ import annotations

from typing import Any, Optional, TypeVar

__all__ = ["InputError", "Interrupted"]

Result = TypeVar("Result")


class InputError(ValueError):
    """Something is wrong with a file, an expression or an argument.

    ``str(error)`` is one line, ``file:line: what is wrong, what was expected``, with as much of the place as is known.

    Attributes:
        file: the name of the file, or None
        line: the number of the line in it, or None
        message: what is wrong, without the place
    """

    file: Optional[str]
    line: Optional[int]
    message: str

    def __init__(self, text: str, file: Optional[str] = None, line: Optional[int] = None, message: Optional[str] = None):
        super().__init__(text)
        self.file = file
        self.line = line
        self.message = text if message is None else message

    def __reduce__(self) -> Any:
        return (InputError, (str(self), self.file, self.line, self.message))


def unless_raised(result: Result, raised: Optional[BaseException]) -> Result:
    """The result of a run, or what was raised while it ran; after Ctrl-C with the best that was known by then."""
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result) from None
    if raised is not None:
        raise raised
    return result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run; ``result`` is the best that was known by then, as the call would have returned it."""

    def __init__(self, result: Any):
        super().__init__("interrupted; the best so far is in .result")
        self.result = result
