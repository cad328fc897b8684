"""Ends the time of a round of stake play: writes a stop on every card with games.

A stop is a card row, so a player or the desk can undo it. It does not confirm the card.
"""

import uuid
from dataclasses import dataclass

from matches import scorecard
from matches.card_totals import card_totals, count_games, effective_rows
from matches.keepers import Keeper
from matches.locking import LockedMatch, lock_matches
from matches.models import MatchState
from matches.rows import NewRow, Stop
from matches.scorecard import WriteResult
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Pairing, Round
from tournament.occupancy import releasing
from tournament.refusals.desk import NO_TIME_TO_STOP
from tournament.refusals.rounds import NO_SUCH_ROUND
from tournament.results import desk, posting
from tournament.results.locking import lock_pairing
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class StoppedSessions:
    """Counts of stopped sessions and of sessions without a game, which are not stopped."""

    stopped: int
    not_begun: int


def stop_round(round_id: int, tournament_id: uuid.UUID, actor: Actor) -> StoppedSessions:
    """Writes a stop on each card with a game, in all open sessions of the round. Idempotent.

    Both cards of a session get the higher of their game counts. Raises Refused for a round without a time limit.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        row = Round.objects.filter(pk=round_id, bracket__tournament=locked.tournament).first()
        if row is None:
            raise Refused(NO_SUCH_ROUND)
        if row.minutes is None:
            raise Refused(NO_TIME_TO_STOP)
        pairings = list(
            Pairing.objects.filter(round=row, settled="", match__state=MatchState.OPEN)
            .select_related("round__bracket__tournament__event")
            .order_by("line")
        )
        matches = lock_matches(pairing.match_id for pairing in pairings)
        outcomes = [
            _stop_session(locked, pairing, matches[pairing.match_id], actor)
            for pairing in pairings
            if pairing.match_id
        ]
        stopped = [pairing for pairing, is_new in zip(pairings, outcomes, strict=True) if is_new]
        not_begun = sum(is_new is None for is_new in outcomes)
        if stopped:
            facts = {"matches": len(stopped), "not_begun": not_begun}
            journal.write(locked.tournament, actor, JournalEntry("stop round", "round", row.pk, after=facts))
    for pairing in stopped:
        desk.settle_report(pairing)
    return StoppedSessions(len(stopped), not_begun)


def _stop_session(
    locked: LockedTournament, pairing: Pairing, locked_match: LockedMatch, actor: Actor
) -> bool | None:
    """Returns True if a stop was written, None if the session has no game yet."""
    match, cards = locked_match.match, locked_match.cards
    if match.state != MatchState.OPEN:
        return False
    rows_by_keeper = {keeper: list(card.rows.all()) for keeper, card in cards.items()}
    games = max((count_games(rows) for rows in rows_by_keeper.values()), default=0)
    if not games:
        return None
    waiting = [
        keeper
        for keeper, rows in rows_by_keeper.items()
        if effective_rows(rows) and card_totals(match, rows).stop is None and not cards[keeper].is_complete
    ]
    written = [_write_stop(locked_match, keeper, games) for keeper in waiting]
    locked.touch_match(pairing)
    for written_row in written:
        releasing.note_first_game(written_row)
        if written_row.card.keeper == Keeper.DESK.value and written_row.card.is_complete:
            stopped = desk.posting_for_card(match, written_row.card, Keeper.DESK.value)
            posting.post(locked, lock_pairing(locked, pairing), stopped, actor)
    return bool(written)


def _write_stop(locked_match: LockedMatch, keeper: Keeper, games: int) -> WriteResult:
    writing = NewRow(uuid.uuid4(), locked_match.cards[keeper].tail, Stop(games))
    return scorecard.write(locked_match, keeper, writing, by=Keeper.DESK)
