"""Places in a lives event, where whoever has lost a number of matches is out: later is better, then the score."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tournament.draw.graph import EntryId
from tournament.draw.standings.counting import StandingsError
from tournament.draw.standings.formulas import Given
from tournament.draw.standings.ranking import Standing, rank
from tournament.draw.standings.records import Record
from tournament.draw.standings.tie_breaks import StandingRules, TieBreak


def lives_places(
    records: Mapping[EntryId, Record[EntryId]],
    lives: int,
    rules: StandingRules | None = None,
    given: Given[EntryId] | None = None,
    withdrawn: Collection[EntryId] = (),
) -> tuple[Standing[EntryId], ...]:
    """Everybody, best first: those still in, then by the round in which the last life was lost, then by score.

    After the score come the tie-breaks of `rules`, none where none are given. Who withdrew is out since the last
    match of the own. Raises StandingsError for less than one life.
    """
    if lives < 1:
        raise StandingsError("Everybody has one life at least.")
    after = 1 + max((meeting.round for record in records.values() for meeting in record.meetings), default=0)
    lasted = {
        entry: _lasted(record, lives, last_match(record) if entry in withdrawn else after)
        for entry, record in records.items()
    }
    told = rules or StandingRules(tie_breaks=())
    behind = [tie_break for tie_break in told.criteria if tie_break is not TieBreak.LASTED]
    return rank(
        records,
        replace(told, tie_breaks=(TieBreak.LASTED, *behind)),
        (given or Given())._replace(lasted=lasted),
    )


def went_out(record: Record[EntryId], lives: int) -> int | None:
    """The round of the loss that cost the last life; None for one still in. Lost walkovers are losses.

    Given losses come before round 1.
    """
    lost = [0] * record.given_losses + [meeting.round for meeting in record.meetings if not meeting.won]
    return lost[lives - 1] if len(lost) >= lives else None


def last_match(record: Record[EntryId]) -> int:
    """The round of the last match, 0 for none."""
    return record.meetings[-1].round if record.meetings else 0


def _lasted(record: Record[EntryId], lives: int, otherwise: int) -> int:
    out = went_out(record, lives)
    return otherwise if out is None else out
