"""Readers of single JSON values: they return the value in our type or raise what was expected.

Each reader is a function of one value. JSON's booleans are never accepted as numbers.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any
from unicodedata import category

_NEVER_SHOWN = ("Cc", "Cs", "Zl", "Zp")  # control characters, surrogates, line and paragraph separators

Reader = Callable[[object], Any]


class WrongTypeError(Exception):
    """The value has the wrong type; the message says what is expected."""


class ImpossibleError(Exception):
    """The type is right and the value is impossible; the message says what is expected."""


def text(maximum: int) -> Reader:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise WrongTypeError("text")
        if (
            not value.strip()
            or len(value) > maximum
            or any(category(character) in _NEVER_SHOWN for character in value)
        ):
            raise ImpossibleError(f"a line of 1 to {maximum} characters")
        return value

    return read


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongTypeError("true or false")
    return value


def whole_number(minimum: int, maximum: int) -> Reader:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongTypeError("a whole number")
        if not minimum <= value <= maximum:
            raise ImpossibleError(f"a whole number from {minimum} to {maximum}")
        return value

    return read


def power_of_two(minimum: int, maximum: int) -> Reader:
    number = whole_number(minimum, maximum)

    def read(value: object) -> int:
        value_read: int = number(value)
        if value_read & (value_read - 1):
            raise ImpossibleError("a power of two")
        return value_read

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


def list_of(reader: Reader, maximum: int) -> Reader:
    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise WrongTypeError("a list")
        if len(value) > maximum:
            raise ImpossibleError(f"a list of {maximum} at maximum")
        return tuple(reader(item) for item in value)

    return read


def object_of(constructor: Callable[..., Any], readers: Mapping[str, Reader]) -> Reader:
    """An object with exactly these fields; a missing field keeps the default of `constructor`."""

    def read(value: object) -> Any:
        if not isinstance(value, dict):
            raise WrongTypeError("an object with named fields")
        if not value.keys() <= readers.keys():
            raise ImpossibleError("an object with the fields " + ", ".join(readers))
        return constructor(**{name: _read_field(name, readers[name], item) for name, item in value.items()})

    return read


def _read_field(name: str, reader: Reader, value: object) -> Any:
    try:
        return reader(value)
    except (WrongTypeError, ImpossibleError) as wrong:
        raise type(wrong)(f"an object whose {name} is {wrong}") from None
