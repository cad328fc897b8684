"""Ranks a lives event by lives left, then by the later last round, then by score and tie-breaks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.standings.counting import StandingsError
from tournament.draw.standings.formulas import ExternalValues
from tournament.draw.standings.ranking import Standing, rank
from tournament.draw.standings.records import Record
from tournament.draw.standings.tie_breaks import StandingRules, TieBreak

BY_LIVES: Final = (TieBreak.LIVES_LEFT, TieBreak.LASTED)


def rank_lives(
    records: Mapping[EntryId, Record[EntryId]],
    lives: int,
    rules: StandingRules | None = None,
    external: ExternalValues[EntryId] | None = None,
    withdrawn: Collection[EntryId] = (),
) -> tuple[Standing[EntryId], ...]:
    """Ranks all entries: those still in by lives left, the others by the round of their last life, then by score.

    The tie-breaks of `rules` come after the score. An entry in `withdrawn` has no life left and lasted to its last
    match. So the last entry with lives left, or with more than one, is first. Raises StandingsError for less than one
    life.
    """
    if lives < 1:
        raise StandingsError(gettext_noop("Every player has at least one life."))
    event_end = max((round_of_last_match(record) for record in records.values()), default=0)
    lasted = {
        entry: _lasted(record, lives, round_of_last_match(record) if entry in withdrawn else event_end)
        for entry, record in records.items()
    }
    lives_left = {
        entry: 0 if entry in withdrawn else max(0, lives - record.all_losses)
        for entry, record in records.items()
    }
    standing_rules = rules or StandingRules(tie_breaks=())
    further = [tie_break for tie_break in standing_rules.criteria if tie_break not in BY_LIVES]
    return rank(
        records,
        replace(standing_rules, tie_breaks=(*BY_LIVES, *further)),
        (external or ExternalValues())._replace(lasted=lasted, lives_left=lives_left),
    )


def round_of_elimination(record: Record[EntryId], lives: int) -> int | None:
    """Returns the round of the loss that cost the last life; None for an entry still in. Lost walkovers are losses.

    Starting losses count as losses before round 1.
    """
    lost = [0] * record.starting_losses + [meeting.round for meeting in record.meetings if not meeting.won]
    return lost[lives - 1] if len(lost) >= lives else None


def round_of_last_match(record: Record[EntryId]) -> int:
    """Returns 0 if there is no match."""
    return record.meetings[-1].round if record.meetings else 0


def _lasted(record: Record[EntryId], lives: int, default: int) -> int:
    out = round_of_elimination(record, lives)
    return default if out is None else out
