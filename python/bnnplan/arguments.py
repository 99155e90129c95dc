"""Arguments of the wrong kind, in words.

The C++ side says of such arguments only what all of them should have been, by its own names. The functions that users call
already state the kinds of their arguments, as type hints: these are compared with what was given, once something was refused.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import os
import typing
from numbers import Integral, Real
from typing import Any, Callable, Optional, Type, TypeVar, Union

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Class = TypeVar("Class")

_WORDS = {
    int: "a whole number", float: "a number", bool: "True or False", str: "a text", type(None): "None", dict: "a dictionary",
    collections.abc.Mapping: "a dictionary", collections.abc.Callable: "a function", os.PathLike: "a path",
    collections.abc.Sequence: "a list", collections.abc.Iterable: "a list", list: "a list", tuple: "a tuple",
}  # fmt: skip


def named_arguments(function: Decorated) -> Decorated:
    """A function that says which of its arguments is wrong, where C++ would say that one of many is."""

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except (TypeError, AttributeError) as error:
            text = str(error)
            if "The following argument types are supported" not in text and "has no attribute '_core'" not in text:
                raise
            complaint = _complaint(function, given, named)
        raise TypeError(complaint)

    return call  # type: ignore[return-value]


def named_arguments_of(cls: Type[Class]) -> Type[Class]:
    """The same for all methods of a class that users call, and for the properties that they set."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name not in ("__init__", "__call__", "__getitem__"):
            continue
        if isinstance(member, property):
            if member.fset is not None:
                setattr(cls, name, property(member.fget, named_arguments(member.fset), member.fdel, member.__doc__))
        elif isinstance(member, (classmethod, staticmethod)):
            setattr(cls, name, type(member)(named_arguments(member.__func__)))
        elif inspect.isfunction(member):
            setattr(cls, name, named_arguments(member))
    return cls


def _complaint(function: Callable[..., Any], given: Any, named: Any) -> str:
    signature = inspect.signature(function)
    arguments = signature.bind(*given, **named).arguments
    hints = typing.get_type_hints(function)
    outside: Optional[str] = None
    for name, value in arguments.items():
        if name in ("self", "cls") or name not in hints:
            continue
        several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        for each in value if several else [value]:
            if not _fits(each, hints[name]):
                return f"{name} is {_shown(each)}, expected {_words(hints[name])}"
            if isinstance(each, Integral) and not 0 <= int(each) < 2**31:
                outside = outside or f"{name} is {_shown(each)}, which is out of range"
    return outside or f"{function.__name__} got an argument with values of the wrong kind, or out of range"


def _shown(value: Any) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"of the kind {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def _fits(value: Any, hint: Any) -> bool:
    if hint is Any:
        return True
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:
        return any(_fits(value, part) for part in parts)
    kind: Any = origin or hint
    if kind is int:
        return isinstance(value, Integral) or hasattr(type(value), "__index__")
    if kind is float:
        return isinstance(value, Real) or hasattr(type(value), "__float__")
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")
    if kind is str:
        return isinstance(value, str) and _is_text(value)
    is_class = isinstance(kind, type)
    if not is_class or not isinstance(value, kind):
        return False
    if kind in (collections.abc.Sequence, collections.abc.Iterable, list) and parts:
        return not isinstance(value, (str, bytes)) and (not isinstance(value, (list, tuple)) or all(_fits(v, parts[0]) for v in value))
    if kind in (collections.abc.Mapping, dict) and len(parts) == 2:
        return all(_fits(key, parts[0]) and _fits(each, parts[1]) for key, each in value.items())
    if kind is tuple and parts and Ellipsis not in parts:
        return len(value) == len(parts) and all(_fits(each, part) for each, part in zip(value, parts))
    return True


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a pair of surrogates
        return False
    return True


def _words(hint: Any) -> str:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:
        words = [_words(part) for part in parts if part is not type(None)] + (["None"] if type(None) in parts else [])
        unique = list(dict.fromkeys(words))
        return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} or {unique[-1]}"
    kind = origin or hint
    if kind in (collections.abc.Sequence, collections.abc.Iterable, list) and parts and parts[0] in _WORDS:
        return f"a list, each of it {_WORDS[parts[0]]}"
    return _WORDS.get(kind, f"a {getattr(kind, '__name__', kind)}")
