"""Who stands where in a table: by records, and in an event with lives by how long one lasted. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Contender, LivesRules, is_over
from tournament.draw.seating import Facts, State
from tournament.draw.standings import (
    Given,
    Record,
    Standing,
    TieBreak,
    lives_places,
    rank,
    records_of,
    went_out,
    with_given_losses,
)
from tournament.models import Entry, Tournament
from tournament.ranking import PairingRow, lot_of, notes_of

Rows = Mapping[int, PairingRow]
States = Mapping[int, State[uuid.UUID]]


@dataclass(frozen=True, slots=True)
class TableStandings:
    """Everybody, best first; `still_in` are those with a life left while an event with lives is not over."""

    standings: tuple[Standing[uuid.UUID], ...]
    still_in: frozenset[uuid.UUID] = frozenset()


def table_standings(
    tournament: Tournament, rows: Rows, facts: Facts[int, uuid.UUID], states: States
) -> TableStandings:
    """The standings of the table whose pairings these are, by facts that may be others than the stored ones."""
    chosen = Format.from_json(tournament.format)
    given = lot_of(tournament) if TieBreak.LOT in chosen.standings.criteria else Given[uuid.UUID]()
    pairings = [rows[key] for key in states]
    records = records_of(pairings, states, facts.decisions, notes_of(rows, states, facts.decisions))
    if chosen.kind is not Kind.LIVES:
        return TableStandings(rank(records, chosen.standings, given))
    late = Entry.objects.filter(tournament=tournament, given_losses__gt=0, pk__in=records)
    records = with_given_losses(records, dict(late.values_list("pk", "given_losses")))
    gone = facts.withdrawn.keys()
    ranked = lives_places(records, chosen.lives, chosen.standings, given, gone)
    left = [one for one in records.values() if one.entry not in gone and went_out(one, chosen.lives) is None]
    over = is_over(map(_contender, left), _rules(chosen), _rounds_played(rows, states))
    return TableStandings(ranked, frozenset() if over else frozenset(one.entry for one in left))


def _contender(record: Record[uuid.UUID]) -> Contender[uuid.UUID]:
    return Contender(record.entry, losses=record.all_losses)


def _rules(chosen: Format) -> LivesRules:
    return LivesRules(chosen.lives, chosen.stop, chosen.rounds)


def _rounds_played(rows: Rows, states: States) -> int:
    drawn = {rows[key].round for key in states}
    still_open = {rows[key].round for key, state in states.items() if state.result.how is None}
    return len(drawn - still_open)
