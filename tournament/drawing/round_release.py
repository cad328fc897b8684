"""Sets when the rounds of a tournament are released, and pairs the rounds that are released automatically."""

import uuid
from contextlib import ExitStack

from django.utils import timezone

from tournament.access.actors import SYSTEM, Actor
from tournament.access.tournament_lists import is_current
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.complete_rounds import automatic_pairing_times, complete_rounds
from tournament.brackets.round_basis import Basis, last_round
from tournament.draw.formats import Format
from tournament.drawing import rounds
from tournament.drawing.rounds import PairedByRecords
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Round, RoundRelease, Tournament
from tournament.refusals.rounds import NOT_AUTOMATIC, ROUND_NOT_DUE, ROUND_WAS_PAIRED
from tournament.runtime.errors import Refused


def set_round_release(
    tournament_id: uuid.UUID, choice: RoundRelease, actor: Actor, grace: int | None = None
) -> None:
    """Sets when rounds are released, and the minutes until a round is paired automatically (None: as before).

    A round that is complete already is not paired automatically, because its minutes may be over.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament, before = locked.tournament, _settings_json(locked.tournament)
        if choice == RoundRelease.AUTOMATIC and tournament.round_release != choice:
            complete = complete_rounds([tournament_id]).get(tournament_id)
            tournament.held_round = complete.number + 1 if complete else None
        tournament.round_release = choice
        tournament.release_grace = tournament.release_grace if grace is None else grace
        after = _settings_json(tournament)
        if before == after:
            return
        tournament.save(update_fields=["round_release", "release_grace", "held_round"])
        journal_entry = JournalEntry("set release of rounds", "tournament", tournament_id, before, after)
        journal.write(tournament, actor, journal_entry)


def stop_automatic_pairing(tournament_id: uuid.UUID, number: int, actor: Actor) -> None:
    """The worker does not pair round `number`. Raises Refused if it is paired already. Idempotent."""
    _hold(tournament_id, number, number, "stop automatic pairing", actor)


def resume_automatic_pairing(tournament_id: uuid.UUID, number: int, actor: Actor) -> None:
    """Undoes `stop_automatic_pairing`. Raises Refused if the round is paired already. Idempotent."""
    _hold(tournament_id, number, None, "resume automatic pairing", actor)


def pair_due_rounds() -> None:
    """Pairs and releases every round that is due. If one tournament fails, the others are still paired."""
    automatic = Tournament.objects.filter(
        is_current(),
        round_release=RoundRelease.AUTOMATIC,
        event__deleted_at__isnull=True,
        event__closed_at__isnull=True,
    )
    with ExitStack() as remaining:
        for tournament_id in _due(list(automatic)):
            remaining.callback(pair_if_due, tournament_id)


def pair_if_due(tournament_id: uuid.UUID) -> Round | None:
    """Pairs and releases the next round. Idempotent; returns None if the round is not due or cannot be paired."""

    def store(locked: LockedTournament, basis: Basis, paired: PairedByRecords) -> Round:
        if not _due([locked.tournament]):
            raise Refused(ROUND_NOT_DUE)
        return rounds.store_released_round(locked, basis, paired, SYSTEM)

    try:
        return rounds.pair(tournament_id, rounds.next_round_basis, store)
    except Refused:
        return None


def _due(tournaments: list[Tournament]) -> list[uuid.UUID]:
    formats = {tournament.pk: Format.from_json(tournament.format) for tournament in tournaments}
    complete = {
        pk: complete_round
        for pk, complete_round in complete_rounds([pk for pk in formats if formats[pk].is_growing]).items()
        if not formats[pk].rounds or complete_round.number < formats[pk].rounds
    }
    now = timezone.now()
    return [pk for pk, time in automatic_pairing_times(tournaments, complete).items() if time <= now]


def _hold(tournament_id: uuid.UUID, number: int, held: int | None, verb: str, actor: Actor) -> None:
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        if tournament.round_release != RoundRelease.AUTOMATIC:
            raise Refused(NOT_AUTOMATIC)
        last = last_round(tournament)
        if last is None or last.number + 1 != number:
            raise Refused(ROUND_WAS_PAIRED, number=number)
        if tournament.held_round != held:
            tournament.held_round = held
            tournament.save(update_fields=["held_round"])
            journal.write(tournament, actor, JournalEntry(verb, "round", after={"round": number}))


def _settings_json(tournament: Tournament) -> dict[str, object]:
    return {"round_release": str(tournament.round_release), "release_grace": tournament.release_grace}
