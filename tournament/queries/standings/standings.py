"""Loads the standings of a tournament: places, records and points by bracket. Reads only.

Brackets that share places form one list: the main bracket with its match for third place, or a whole double
elimination. The number of statements does not depend on the number of entries.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.brackets import storage
from tournament.brackets.states import PostedResult, state_of
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.seating import Facts, Seating
from tournament.models import Result, ResultKind, Tournament
from tournament.places.by_record import is_played_out, rank_by_record
from tournament.places.certain import rank_tree
from tournament.places.families import family_of
from tournament.queries.brackets.bracket_list import BracketLine, list_brackets
from tournament.queries.entries.names import entrants_by_id
from tournament.queries.entries.path import Path
from tournament.queries.standings.lines import LineBuilder, StandingLine
from tournament.queries.standings.prizes import prizes_of_places, with_prizes
from tournament.runtime.errors import NotFound

__all__ = ["Ranking", "StandingLine", "list_rankings", "standing_lines", "standings_of_path"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One list of places. `key` is its first bracket. `is_table`: records decide, else the round of elimination.

    `is_over`: every place is final.
    """

    key: str
    brackets: tuple[str, ...]
    is_table: bool
    lines: tuple[StandingLine, ...]
    is_over: bool = False


def standing_lines(tournament: Tournament, key: str = "") -> list[StandingLine]:
    """Returns the list that ranks this bracket, or the first list; best place first, empty before the draw.

    Raises NotFound for an unknown bracket.
    """
    rankings = list_rankings(tournament, key)
    return list(rankings[0].lines) if rankings else []


def list_rankings(tournament: Tournament, key: str = "") -> list[Ranking]:
    """Returns every list of places in the order of the brackets, or only the one that ranks this bracket."""
    families = _families(list_brackets(tournament))
    chosen_families = [family for family in families if not key or key in {line.key for line in family}]
    if key and not chosen_families:
        raise NotFound
    return _rankings(tournament, chosen_families) if chosen_families else []


def standings_of_path(path: Path) -> list[tuple[str, StandingLine]]:
    """Returns the lines of this path's entry, each with its bracket; none while the draw is not released."""
    if not path.meetings:
        return []
    return [
        (ranking.key, line)
        for ranking in list_rankings(path.tournament)
        for line in ranking.lines
        if line.entry_id == path.entry.pk
    ]


def _families(lines: Iterable[BracketLine]) -> list[list[BracketLine]]:
    """Groups brackets that share places."""
    families: dict[str, list[BracketLine]] = {}
    for line in lines:
        families.setdefault(family_of(line.key), []).append(line)
    return list(families.values())


def _rankings(tournament: Tournament, families: Sequence[Sequence[BracketLine]]) -> list[Ranking]:
    """Loads the graph only if a knockout bracket needs it."""
    sheet = None if all(family[0].is_table for family in families) else storage.read(tournament)
    rows, facts = (sheet.rows, sheet.facts) if sheet else storage.read_rows(tournament)
    lines = LineBuilder(entrants_by_id([tournament]), rows, _results(tournament) if sheet else {})
    prizes = prizes_of_places(tournament, sheet)

    def ranking(key: str, brackets: tuple[str, ...], *, is_table: bool) -> Ranking:
        if sheet is None or is_table:
            ranked, is_over, is_certain = _by_records(tournament, lines, facts, key)
        else:
            ranked, is_over = _by_places(sheet, lines, brackets)
            is_certain = True
        ranked = with_prizes(prizes, key, ranked) if is_certain else ranked
        return Ranking(key, brackets, is_table, tuple(ranked), is_over)

    return [
        ranking(family[0].key, tuple(line.key for line in family), is_table=family[0].is_table)
        for family in families
    ]


def _by_places(sheet: Sheet, lines: LineBuilder, brackets: Sequence[str]) -> tuple[list[StandingLine], bool]:
    """Returns the lines, and True if every pairing of the brackets is settled."""
    placings = rank_tree(sheet.graph, Seating(sheet.seated(), frozenset()), brackets)
    is_over = all(row.settled for row in lines.rows.values() if row.bracket in brackets)
    return lines.lines_of_places(placings, brackets), is_over


def _by_records(
    tournament: Tournament, lines: LineBuilder, facts: Facts[int, uuid.UUID], bracket: str
) -> tuple[list[StandingLine], bool, bool]:
    """Returns the lines, True if every place is certain, and True if no match of the bracket is left."""
    states = {row.key: state_of(row) for row in lines.rows.values() if row.bracket == bracket}
    record_standings = rank_by_record(tournament, lines.rows, facts, states)
    standing_lines_of_bracket = lines.lines_of_records(record_standings.standings, record_standings.still_in)
    if not is_played_out(Format.from_json(tournament.format), lines.rows, states):
        return standing_lines_of_bracket, False, False
    return standing_lines_of_bracket, not record_standings.still_in, True


def _results(tournament: Tournament) -> dict[int, PostedResult]:
    current = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    ).exclude(kind=ResultKind.RETRACTED)
    results = (PostedResult(*values) for values in current.values_list(*PostedResult._fields))
    return {result.pairing_id: result for result in results}
