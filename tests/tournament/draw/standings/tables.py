"""Results for tests, written as a director would: one string for each match of a round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from tournament.draw.graph import FromBye, FromEntry, Graph, Pairing
from tournament.draw.seating import Decision, State, resolve
from tournament.draw.standings import (
    CountingRules,
    ExternalValues,
    Notes,
    Record,
    StandIn,
    Standing,
    StandingRules,
    TieBreak,
    Unplayed,
    lot_numbers,
    rank,
    records_of,
)

Key = tuple[int, int]
Rounds = Sequence[Sequence[str]]
MATCH = re.compile(r"(\S+) (?:(\d+)-(\d+)|(bye|wo|no|\?|won)) ?(\S*)")

SWISS_OF_SIX: Rounds = [
    ["ada 7-3 bo", "cy 7-5 di", "ed 7-6 fay"],
    ["ada 7-4 cy", "di 7-5 ed", "bo 7-1 fay"],
    ["ed 7-4 ada", "cy 7-3 bo", "di 7-5 fay"],
]


class Table(NamedTuple):
    pairings: list[Pairing[Key, str]]
    states: dict[Key, State[str]]
    decisions: dict[Key, Decision[str]]
    notes: Notes[Key]

    @property
    def records(self) -> dict[str, Record[str]]:
        return records_of(*self)


def table(rounds: Rounds, length: int = 7) -> Table:
    pairings: list[Pairing[Key, str]] = []
    decisions: dict[Key, Decision[str]] = {}
    awarded: set[Key] = set()
    for number, matches in enumerate(rounds, 1):
        for line, match in enumerate(matches, 1):
            key = (number, line)
            entry, won, lost, word, opponent = parse_match(match)
            right = FromBye() if word == "bye" else FromEntry(opponent)
            pairings.append(Pairing(key, "main", number, line, FromEntry(entry), right))
            if word == "no":
                decisions[key] = Decision.both_lost(entry, opponent)
            elif word not in ("bye", "?"):
                points = None if word else (int(won), int(lost))
                decisions[key] = Decision(entry, opponent, points=points)
            if word == "wo":
                awarded.add(key)
    states = dict(resolve(Graph(pairings), decisions).states)
    return Table(pairings, states, decisions, Notes(dict.fromkeys(states, length), awarded))


def parse_match(match: str) -> tuple[str, str, str, str, str]:
    parts = MATCH.fullmatch(match)
    assert parts is not None, match
    entry, won, lost, word, opponent = (part or "" for part in parts.groups())
    return entry, won, lost, word, opponent


def standings(
    rounds: Rounds,
    *tie_breaks: TieBreak,
    counting: CountingRules | None = None,
    external: ExternalValues[str] | None = None,
) -> tuple[Standing[str], ...]:
    return rank(table(rounds).records, StandingRules(tie_breaks, counting or CountingRules()), external)


def placed(ranked: Sequence[Standing[str]]) -> list[tuple[str, int, int]]:
    return [(standing.entry, standing.place_from, standing.place_to) for standing in ranked]


def value(ranked: Sequence[Standing[str]], entry: str, tie_break: TieBreak) -> int | Decimal | None:
    explained = next(standing.steps for standing in ranked if standing.entry == entry)
    return next(step.value for step in explained if step.tie_break is tie_break)


@st.composite
def any_rounds(draw: st.DrawFn) -> list[list[str]]:
    """A few random rounds with byes, walkovers, double no-shows and open matches."""
    names = [f"entry-{n}" for n in range(draw(st.integers(2, 9)))]
    chance = draw(st.randoms(use_true_random=False))
    return [a_round(names, chance) for _ in range(draw(st.integers(1, 5)))]


def a_round(names: Sequence[str], chance: Random) -> list[str]:
    order = chance.sample(names, len(names))
    ways = [f"{chance.randint(7, 9)}-{chance.randint(0, 6)}"] * 5 + ["wo", "no", "?", "won"]
    matches = [
        f"{entry} {chance.choice(ways)} {opponent}"
        for entry, opponent in zip(order[::2], order[1::2], strict=False)
    ]
    return matches + [f"{order[-1]} bye"] * (len(order) % 2)


def any_counting() -> st.SearchStrategy[CountingRules]:
    def unplayed(*stand_ins: StandIn) -> st.SearchStrategy[Unplayed]:
        return st.builds(Unplayed, st.booleans(), st.booleans(), st.sampled_from(stand_ins))

    return st.builds(CountingRules, unplayed(StandIn.NOTHING, StandIn.OWN_SCORE), unplayed(*StandIn))


def a_lot(records: dict[str, Record[str]]) -> ExternalValues[str]:
    return ExternalValues(lot=lot_numbers(sorted(records), "thrown in the hall: 3 1 6"))


def deciding_tie_break(above: Standing[str], below: Standing[str]) -> TieBreak | None:
    """The first tie-break in which the two differ; None if they share their places."""
    for step, step_below in zip(above.steps, below.steps, strict=True):
        if step.value != step_below.value:
            return step.tie_break
    return None
