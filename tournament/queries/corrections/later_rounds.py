"""Loads the rounds that were paired from records that a correction changes: Swiss, Monrad, lives. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from tournament.brackets.storage import Sheet
from tournament.corrections import Preview
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import State
from tournament.draw.seating.double_seating import DoubleSeating, find_entries_in_two_open_matches
from tournament.draw.standings import TieBreak
from tournament.models import Pairing, Tournament
from tournament.places.by_record import rank_by_record
from tournament.places.certain import FactsAndSeating

MAIN = "main"


@dataclass(frozen=True, slots=True)
class LaterRounds:
    """The rounds `first` to `last` were paired from the result that changes.

    `out` are entries with an open match there and no life left; `missing` are entries that are in again without a match
    there. `twice` are entries that would have two open matches. `can_be_taken_back`: no match of the last round has
    begun.
    """

    first: int
    last: int
    out: tuple[uuid.UUID, ...]
    missing: tuple[uuid.UUID, ...]
    twice: tuple[DoubleSeating[uuid.UUID, int], ...]
    can_be_taken_back: bool


def load_later_rounds(preview: Preview) -> LaterRounds | None:
    """Returns the later rounds that a correction affects; None if there are none."""
    round_of_match = preview.pairing.round
    tournament = round_of_match.bracket.tournament
    rows = preview.sheet.rows
    later = sorted(
        {row.round for row in rows.values() if row.bracket == MAIN and row.round > round_of_match.number}
    )
    if not Format.from_json(tournament.format).is_growing or round_of_match.bracket.key != MAIN or not later:
        return None
    consequences = preview.consequences
    lives_now = _lives_left(tournament, preview.sheet, (preview.sheet.facts, consequences.before))
    lives_then = _lives_left(tournament, preview.sheet, (consequences.facts, consequences.after))
    states_after = {pk: consequences.after[pk] for pk, row in rows.items() if row.bracket == MAIN}
    playing = _playing(states_after)
    return LaterRounds(
        later[0],
        later[-1],
        tuple(entry for entry, left in lives_then.items() if not left and entry in playing),
        tuple(
            entry
            for entry, left in lives_then.items()
            if left and not lives_now.get(entry) and entry not in playing
        ),
        tuple(find_entries_in_two_open_matches(states_after, states_after)),
        not _has_begun(tournament, later[-1]),
    )


def _lives_left(
    tournament: Tournament, sheet: Sheet, facts_and_seating: FactsAndSeating
) -> dict[uuid.UUID, int]:
    """Returns the lives left by entry; empty for formats without lives."""
    if Format.from_json(tournament.format).kind is not Kind.LIVES:
        return {}
    facts, seating = facts_and_seating
    states = {pk: seating[pk] for pk, row in sheet.rows.items() if row.bracket == MAIN}
    return {
        standing.entry: int(step.value or 0)
        for standing in rank_by_record(tournament, sheet.rows, facts, states).standings
        for step in standing.steps
        if step.tie_break is TieBreak.LIVES_LEFT
    }


def _playing(states: Mapping[int, State[uuid.UUID]]) -> set[object]:
    return {
        seat for state in states.values() if state.result.how is None for seat in (state.left, state.right)
    }


def _has_begun(tournament: Tournament, number: int) -> bool:
    pairings = Pairing.objects.filter(
        round__bracket__tournament=tournament, round__bracket__key=MAIN, round__number=number
    )
    return pairings.filter(Q(match__began_at__isnull=False) | Q(results__isnull=False)).exists()
