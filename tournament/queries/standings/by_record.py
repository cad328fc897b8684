"""Who stands where in a table: by records, and in an event with lives by how long one lasted. Reads only."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from tournament.brackets.ranking import PairingRow, lot_of, pairing_notes
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Contender, LivesRules, is_over
from tournament.draw.seating import UNDECIDED, Facts, How, State
from tournament.draw.standings import (
    ExternalValues,
    Record,
    Standing,
    StandingRules,
    TieBreak,
    rank,
    rank_lives,
    records_of,
    round_of_elimination,
    with_starting_losses,
)
from tournament.models import Entry, Tournament

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
    played = _last_round_played(rows, states)
    states = _without_byes_after(played, rows, states)
    rules = chosen.standings if played else _without_lot(chosen.standings)
    given = lot_of(tournament) if TieBreak.LOT in chosen.standings.criteria else ExternalValues[uuid.UUID]()
    pairings = [rows[key] for key in states]
    records = records_of(pairings, states, facts.decisions, pairing_notes(rows, states, facts.decisions))
    if chosen.kind is not Kind.LIVES:
        return TableStandings(rank(records, rules, given))
    records = with_starting_losses(records, _given_losses(tournament, records, facts))
    gone = facts.withdrawn.keys()
    ranked = rank_lives(records, chosen.lives, rules, given, gone)
    left = [
        one
        for one in records.values()
        if one.entry not in gone and round_of_elimination(one, chosen.lives) is None
    ]
    over = is_over(map(_contender, left), _rules(chosen), _rounds_played(rows, states))
    return TableStandings(ranked, frozenset() if over else frozenset(one.entry for one in left))


def _last_round_played(rows: Rows, states: States) -> int:
    """The last round in which a match is decided, 0 for none; byes are no matches."""
    decided = (rows[key].round for key, state in states.items() if state.result.how not in (None, How.BYE))
    return max(decided, default=0)


def _without_byes_after(played: int, rows: Rows, states: States) -> States:
    """Byes that the draw gives in later rounds do not count yet."""
    return {
        key: state._replace(result=UNDECIDED)
        if state.result.how is How.BYE and rows[key].round > played
        else state
        for key, state in states.items()
    }


def _without_lot(rules: StandingRules) -> StandingRules:
    """Before the first result all are equal: the lot says nothing of them."""
    return replace(rules, tie_breaks=tuple(one for one in rules.tie_breaks if one is not TieBreak.LOT))


def _given_losses(
    tournament: Tournament, known: Collection[uuid.UUID], facts: Facts[int, uuid.UUID]
) -> dict[uuid.UUID, int]:
    """The losses that each entry started with, of late entrants who wait for their first match too."""
    entries = Entry.objects.filter(tournament=tournament).values_list("pk", "starting_losses")
    return {pk: losses for pk, losses in entries if pk in known or pk not in facts.withdrawn}


def _contender(record: Record[uuid.UUID]) -> Contender[uuid.UUID]:
    return Contender(record.entry, losses=record.all_losses)


def _rules(chosen: Format) -> LivesRules:
    return LivesRules(chosen.lives, chosen.stop, chosen.rounds)


def _rounds_played(rows: Rows, states: States) -> int:
    drawn = {rows[key].round for key in states}
    still_open = {rows[key].round for key, state in states.items() if state.result.how is None}
    return len(drawn - still_open)
