"""The standings: places, records and points of everybody in a tournament, bracket by bracket. Reads only.

Brackets that share places stand in one list: the main one with its match for third place, a double elimination as a
whole. A handful of statements at any size.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from matches.statements import CompiledQuery
from tournament.brackets import storage
from tournament.brackets.states import PostedResult, state_of
from tournament.brackets.storage import Sheet
from tournament.draw.seating import Facts, Seating
from tournament.draw.standings.knockout_places import knockout_places
from tournament.models import Result, ResultKind, Tournament
from tournament.queries.brackets.bracket_list import BracketLine, list_brackets
from tournament.queries.brackets.labels import RANKED_ABOVE, RANKED_TOGETHER
from tournament.queries.entries.names import entrants_of
from tournament.queries.entries.path import Path
from tournament.queries.standings.by_record import table_standings
from tournament.queries.standings.lines import Lines, StandingShown
from tournament.queries.standings.prizes import is_played_out, with_prizes
from tournament.runtime.errors import NotFound

__all__ = ["Ranking", "StandingShown", "all_standings", "ranking_keys", "standings_on", "standings_shown"]

_results_of: CompiledQuery[Any] = CompiledQuery(
    lambda tournament: Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    ).values_list(*PostedResult._fields)
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """One list of places: `key` is the first of its brackets. In a table records decide, else where one went out."""

    key: str
    brackets: tuple[str, ...]
    is_table: bool
    lines: tuple[StandingShown, ...]


def standings_shown(tournament: Tournament, key: str = "") -> list[StandingShown]:
    """The list in which this bracket is ranked, or the first; best place first. Empty before the draw.

    Raises NotFound for a bracket that is not there.
    """
    rankings = all_standings(tournament, key)
    return list(rankings[0].lines) if rankings else []


def all_standings(tournament: Tournament, key: str = "") -> list[Ranking]:
    """Every list of places in the order of the brackets, or the one in which this bracket is ranked."""
    families = _families(list_brackets(tournament))
    wanted = [family for family in families if not key or key in {line.key for line in family}]
    if key and not wanted:
        raise NotFound
    return _rankings(tournament, wanted) if wanted else []


def ranking_keys(tournament: Tournament) -> list[str]:
    """The bracket that each list of places is called by, in the order of the brackets."""
    return [family[0].key for family in _families(list_brackets(tournament))]


def standings_on(path: Path) -> list[tuple[str, StandingShown]]:
    """The lines of the entry whose way this is, each with its bracket; none while nothing of its draw is told."""
    if not path.meetings:
        return []
    return [
        (ranking.key, line)
        for ranking in all_standings(path.tournament)
        for line in ranking.lines
        if line.entry_id == path.entry.pk
    ]


def _families(lines: Iterable[BracketLine]) -> list[list[BracketLine]]:
    """Brackets that are placed together."""
    families: dict[str, list[BracketLine]] = {}
    for line in lines:
        is_together = line.key in (*RANKED_TOGETHER, *RANKED_ABOVE)
        first = RANKED_TOGETHER[0] if is_together else line.key
        families.setdefault(first, []).append(line)
    return list(families.values())


def _rankings(tournament: Tournament, families: Sequence[Sequence[BracketLine]]) -> list[Ranking]:
    """Where every list is a table, who plays on where is not asked."""
    sheet = None if all(family[0].is_table for family in families) else storage.read(tournament)
    rows, facts = (sheet.rows, sheet.facts) if sheet else storage.read_rows(tournament)
    lines = Lines(entrants_of(tournament), rows, _results(tournament) if sheet else {})

    def ranked(key: str, brackets: tuple[str, ...], *, is_table: bool) -> Ranking:
        if sheet is None or is_table:
            return Ranking(key, brackets, is_table, tuple(_by_records(tournament, lines, facts, key)))
        return Ranking(key, brackets, is_table, tuple(_by_places(tournament, sheet, lines, brackets)))

    return [
        ranked(family[0].key, tuple(line.key for line in family), is_table=family[0].is_table)
        for family in families
    ]


def _by_places(
    tournament: Tournament, sheet: Sheet, lines: Lines, brackets: Sequence[str]
) -> list[StandingShown]:
    above = [key for key in RANKED_ABOVE if key in brackets]
    ordered = [key for key in RANKED_TOGETHER if key in brackets] or list(brackets)
    found = knockout_places(sheet.graph, Seating(sheet.seated(), frozenset()), ordered, above)
    return with_prizes(tournament, brackets[0], lines.of_places(found, brackets))


def _by_records(
    tournament: Tournament, lines: Lines, facts: Facts[int, uuid.UUID], bracket: str
) -> list[StandingShown]:
    states = {row.key: state_of(row) for row in lines.rows.values() if row.bracket == bracket}
    found = table_standings(tournament, lines.rows, facts, states)
    shown = lines.of_records(found.standings, found.still_in)
    return with_prizes(tournament, bracket, shown) if is_played_out(tournament, lines.rows, states) else shown


def _results(tournament: Tournament) -> dict[int, PostedResult]:
    standing = (PostedResult(*values) for values in _results_of.all(tournament.pk))
    return {result.pairing_id: result for result in standing if result.kind != ResultKind.RETRACTED}
