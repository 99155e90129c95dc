"""Options as keyword arguments: their names, defaults and help texts come from the library, where they are described once."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable, List, Mapping, Optional, Sequence, TypeVar

from . import _core
from .exact import BitCount, bit_counts

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

HINTS = {
    "True or False": "bool",
    "a whole number": "int",
    "a number": "float",
    "a text": "str",
    "a list of texts": "Sequence[str]",
    "a list of whole numbers": "Sequence[int]",
    "an exact number": "Any",
    "a pair of exact numbers": "Tuple[Any, Any]",
}


def takes_options(
    command: str, without: Sequence[str] = (), kinds: Mapping[str, str] = {}
) -> Callable[[Decorated], Decorated]:
    """For functions that end in ``**options``: their signature and documentation name the options of a command.

    Kinds are those of options that a function takes in another form than the library.
    """

    def decorate(function: Decorated) -> Decorated:
        own = inspect.signature(function)
        named = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {p.name for p in named} | set(without)
        lines = []
        for name, default, kind, help_text, words in _core.option_table(command):
            if name in taken:
                continue
            if name in kinds:
                kind, words = kinds[name], []
            hint = HINTS[kind] if default is not None else f"Optional[{HINTS[kind]}]"
            named.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint))
            allowed = ", ".join(map(repr, words)) if words else kind
            text = " ".join(help_text.split())
            lines.append(textwrap.fill(f"{name}: {text} ({allowed})", 116, initial_indent=" " * 4, subsequent_indent=" " * 8))
        order = sorted(named, key=lambda p: p.kind)
        function.__signature__ = own.replace(parameters=order)  # type: ignore[attr-defined]
        function.__doc__ = inspect.cleandoc(function.__doc__ or "") + "\n\nOptions:\n" + "\n".join(lines) + "\n"
        return function

    return decorate


def bit_texts(bits: Optional[Mapping[str, BitCount]]) -> Optional[List[str]]:
    """As the option takes them: x=4, or x=4s for signed numbers."""
    if bits is None:
        return None
    return [f"{name}={width}{'s' if signed else ''}" for name, (width, signed) in bit_counts(bits).items()]

