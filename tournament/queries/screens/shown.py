"""What stands on a screen's slides. Nothing in here is more than everybody in the hall may see."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class CallShown:
    """A match that is called: `at` that time, `is_second`: again. `points` while they play, where all may see them."""

    id: uuid.UUID
    table_id: int | None
    table: str
    left: str
    right: str
    tournament: str
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    at: datetime
    is_second: bool
    is_playing: bool
    points: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of the pool; without a `call` nobody sits there."""

    id: int
    name: str
    note: str
    is_reserved: bool
    call: CallShown | None


@dataclass(frozen=True, slots=True)
class SlideShown:
    """One slide: `key` tells it from the others and stays the same while what it is about does.

    `kind` is draw, calls, tables, round, end, standings, own or waiting; `content` is what that kind shows.
    """

    key: str
    kind: str
    title: str
    about: str
    seconds: int
    content: Any


@dataclass(frozen=True, slots=True)
class Deck:
    """Everything one screen shows. `listens` are the ids of what it is told of when that changes."""

    slides: tuple[SlideShown, ...]
    listens: tuple[uuid.UUID, ...]
