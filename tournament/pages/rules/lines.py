"""One line and one section of the rules page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One or two sentences, and the ids of the rules that they state."""

    text: str
    rules: str


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    title: str
    lines: tuple[Line, ...]
