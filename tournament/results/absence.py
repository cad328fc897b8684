"""Posts that a player did not appear, and withdraws the player from the tournament in the same transaction."""

import uuid

from rules.score import Side
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.live import journal
from tournament.models import Pairing, Result, ResultKind, Tournament
from tournament.results import desk, posting
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import NotFound

NO_SHOW = "no_show"
"""Key of a journal line's values: the no-show that withdrew the player."""


def post_no_show(
    pairing: Pairing, absent: Side, actor: Actor, *, withdraws: bool, expected: ExpectedResult | None = None
) -> uuid.UUID:
    """Posts that a player did not appear. Returns the result.

    `withdraws`: the player leaves the tournament too, and so is no opponent in a consolation. Raises Refused like
    `desk.award` and `registration.withdraw`; then nothing is posted.
    """
    absent_id, winner_id = pairing.left_id, pairing.right_id
    if absent is Side.RIGHT:
        absent_id, winner_id = winner_id, absent_id
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        desk.award(pairing, winner_id, ResultKind.NO_SHOW, "", actor, expected=expected)
        result = posting.require_current_result(pairing.pk)
        if withdraws and absent_id is not None:
            advancing.advance(result.pk)
            values = {NO_SHOW: result.pk}
            registration.set_withdrawn(
                locked.tournament.pk, [absent_id], actor, withdrawn=True, journal_values=values
            )
        return result.pk


def undo_no_show(pairing: Pairing, result_id: uuid.UUID, actor: Actor) -> None:
    """Retracts the result, and brings the player back if the no-show withdrew the player and nobody else did since.

    Raises NotFound for a result that is no no-show of this pairing. Raises Refused if the result is not the current
    one, or if a match that follows has begun.
    """
    result = Result.objects.filter(pk=result_id, pairing=pairing, kind=ResultKind.NO_SHOW).first()
    if result is None:
        raise NotFound
    absent_id = result.left_id if result.winner_id == result.right_id else result.right_id
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        if _is_withdrawn_by(result, locked.tournament, absent_id):
            registration.set_withdrawn(locked.tournament.pk, [absent_id], actor, withdrawn=False)
        desk.retract(pairing, "", actor, expected=ExpectedResult(result_id))


def _is_withdrawn_by(result: Result, tournament: Tournament, entry_id: uuid.UUID) -> bool:
    verbs = (registration.WITHDRAW, registration.UNDO_WITHDRAWAL)
    line = journal.last_lines(tournament, "entry", [entry_id], verbs).get(str(entry_id))
    return line is not None and line.after.get(NO_SHOW) == str(result.pk)
