"""Readers of single values out of JSON: the value in the type we keep, or what it should have been.

Each reader is a plain function of one value. Nothing here knows which field it reads for, and JSON's
truth values never pass for numbers.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any
from unicodedata import category

_NEVER_SHOWN = ("Cc", "Cs", "Zl", "Zp")  # control signs, halves of signs, line and paragraph ends

Reader = Callable[[object], Any]


class WrongTypeError(Exception):
    """The value is of a type that cannot be meant; says what is expected."""


class ImpossibleError(Exception):
    """The type is right, the value cannot be; says what is expected."""


def text(most: int) -> Reader:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise WrongTypeError("text")
        if not value.strip() or len(value) > most or any(category(sign) in _NEVER_SHOWN for sign in value):
            raise ImpossibleError(f"a line of 1 to {most} characters")
        return value

    return read


def yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongTypeError("true or false")
    return value


def whole_number(least: int, most: int) -> Reader:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongTypeError("a whole number")
        if not least <= value <= most:
            raise ImpossibleError(f"a whole number from {least} to {most}")
        return value

    return read


def power_of_two(least: int, most: int) -> Reader:
    number = whole_number(least, most)

    def read(value: object) -> int:
        found: int = number(value)
        if found & (found - 1):
            raise ImpossibleError("a power of two")
        return found

    return read


def choice(options: type[StrEnum]) -> Reader:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str):
            raise WrongTypeError("text")
        if value not in list(options):
            raise ImpossibleError("one of " + ", ".join(options))
        return options(value)

    return read


def or_none(reader: Reader) -> Reader:
    def read(value: object) -> Any:
        return None if value is None else reader(value)

    return read


def several(reader: Reader, most: int) -> Reader:
    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise WrongTypeError("a list")
        if len(value) > most:
            raise ImpossibleError(f"a list of {most} at most")
        return tuple(reader(item) for item in value)

    return read


def record(make: Callable[..., Any], readers: Mapping[str, Reader]) -> Reader:
    """An object with exactly these fields; what is missing keeps the default of `make`."""

    def read(value: object) -> Any:
        if not isinstance(value, dict):
            raise WrongTypeError("an object with named fields")
        if not value.keys() <= readers.keys():
            raise ImpossibleError("an object with the fields " + ", ".join(readers))
        return make(**{name: _within(name, readers[name], item) for name, item in value.items()})

    return read


def _within(name: str, reader: Reader, value: object) -> Any:
    try:
        return reader(value)
    except (WrongTypeError, ImpossibleError) as wrong:
        raise type(wrong)(f"an object whose {name} is {wrong}") from None
