"""Filters and sorts the matches of the desk. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from tournament.queries.desk.desk import UNDECIDED, DeskLine
from tournament.runtime.name_search import has_words, sort_key, split_words

OPEN, ALL = "open", "all"
STATES = ("disputed", "reported", "called", "playing", "ready", "waiting", "decided")
"""The order in which a list sorted by state has them."""
DESCENDING = "-"
END_OF_TIME = datetime.max.replace(tzinfo=UTC)
DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Limits a list of matches; empty fields do not. `state` is one of `STATES`, `open` for undecided ones, or `all`.

    `find` are words of the players' names, or the number of a match. `sort` names a column, after "-" descending.
    """

    tournament: str = ""
    bracket: str = ""
    round: str = ""
    state: str = OPEN
    find: str = ""
    sort: str = "state"

    @property
    def column(self) -> str:
        return self.sort.removeprefix(DESCENDING)

    @property
    def is_descending(self) -> bool:
        return self.sort.startswith(DESCENDING)

    def apply(self, lines: Iterable[DeskLine]) -> list[DeskLine]:
        """Returns the matching lines, sorted. A number that is the number of matches finds only these."""
        lines = list(lines)
        words, label = split_words(self.find), self.find.strip().upper()
        is_number = label != "" and any(line.pairing.called == label for line in lines)
        listed = [
            line
            for line in lines
            if self.tournament in ("", line.tournament.slug)
            and self.bracket in ("", line.bracket)
            and self.round in ("", line.round_name)
            and self._has_state(line)
            and (line.pairing.called == label if is_number else has_words(line.players, words))
        ]
        return sorted(listed, key=SORT_KEYS.get(self.column, _by_state), reverse=self.is_descending)

    def by_number(self, lines: Iterable[DeskLine]) -> list[DeskLine]:
        """Returns the matches whose number is the search text, in any state."""
        label = self.find.strip().upper()
        anywhere = replace(self, bracket="", round="", state=ALL)
        return [line for line in anywhere.apply(lines) if line.pairing.called == label]

    def _has_state(self, line: DeskLine) -> bool:
        if self.state == OPEN:
            return line.pairing.state in UNDECIDED
        if self.state == "ready":  # a match to be played may be called already
            return line.pairing.state == "ready"
        return self.state in (ALL, line.state)


def _by_state(line: DeskLine) -> tuple[int, datetime]:
    return STATES.index(line.state), line.since or END_OF_TIME


def _natural(text: str) -> list[Any]:
    """Sorts numbers inside the text by value: 2 before 10, and C2 before C10."""
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in DIGITS.split(text) if part]


SORT_KEYS: Mapping[str, Callable[[DeskLine], Any]] = {
    "number": lambda line: _natural(line.pairing.called),
    "tournament": lambda line: sort_key(line.tournament.name),
    "round": lambda line: (line.pairing.round, line.bracket),
    "players": lambda line: sort_key(line.pairing.left.name),
    "table": lambda line: (not line.pairing.table, _natural(line.pairing.table)),
    "state": _by_state,
    "since": lambda line: line.since or END_OF_TIME,
}


def rounds_of(lines: Sequence[DeskLine]) -> list[str]:
    """Returns the codes of the rounds of these matches, in the order in which the longest bracket plays them."""
    order: dict[str, int] = {}
    for line in lines:
        order[line.round_name] = max(order.get(line.round_name, 0), line.pairing.round)
    return sorted(order, key=lambda code: order[code])


def brackets_of(lines: Sequence[DeskLine]) -> list[str]:
    """Returns the keys of the brackets of these matches, in their order."""
    return list(dict.fromkeys(line.bracket for line in lines))
