"""Stores uploaded game records, checks them, and compares their score with the reported score.

The file is committed first and a worker is queued afterwards; the sweep finds records that no worker finished.
"""

import uuid

from django.db import transaction
from django.db.models import F, Q

from matches import game_records, scorecard, verdicts
from matches.game_records import Judgement, RecordFile, TooManyRecords, TooManyWaiting
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import LONGEST_RECORD_NAME, MOST_RECORD_BYTES, GameRecord, Match, MatchState, RecordState
from rules.score import Side
from tournament.access.actors import SYSTEM, Actor
from tournament.live import channels, journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Pairing, Result, ResultKind, Tournament
from tournament.records.player_matching import Names, PlayerMatch, Points, RecordHeader, match_players
from tournament.refusals.records import RECORD_IS_EMPTY, RECORD_TOO_LARGE, RECORDS_WAITING, TOO_MANY_RECORDS
from tournament.results import questions
from tournament.results.locking import match_id_of
from tournament.results.questions import RecordDifference
from tournament.runtime import queue, storage_quota
from tournament.runtime.errors import Refused
from tournament.runtime.text import clean

NAMELESS = "record"


def upload(pairing: Pairing, keeper: Keeper, data: bytes, name: str, actor: Actor) -> tuple[GameRecord, bool]:
    """Stores a file with the match and queues its check. Returns False if the same file is already stored.

    Raises Refused for an empty or too large file, for too many records, and beyond the storage limit of the event.
    """
    match_id = match_id_of(pairing)
    if not data:
        raise Refused(RECORD_IS_EMPTY)
    if len(data) > MOST_RECORD_BYTES:
        raise Refused(RECORD_TOO_LARGE)
    tournament = pairing.round.bracket.tournament
    storage_quota.refuse_beyond_limit(tournament.event, len(data))
    with transaction.atomic():
        match = lock_match(match_id).match
        try:
            record, is_new = game_records.add_record(match, RecordFile(data, file_name(name)), keeper)
        except TooManyWaiting:
            raise Refused(RECORDS_WAITING, most=game_records.MOST_WAITING) from None
        except TooManyRecords:
            raise Refused(TOO_MANY_RECORDS, most=game_records.MOST_RECORDS) from None
        if is_new:
            scorecard.note_record(match)
            facts = {"record": record.pk, "size": record.size, "sha256": record.sha256}
            journal.write(tournament, actor, JournalEntry("bring record", "match", match.pk, after=facts))
        transaction.on_commit(lambda: _publish_upload(record, pairing), robust=True)
    return record, is_new


def file_name(name: str) -> str:
    """The last part of a path without invisible characters, shortened to the stored length; keeps the suffix."""
    last = clean(name.replace("\\", "/").rpartition("/")[2]).strip(". ")
    stem, dot, ending = last.rpartition(".")
    if len(last) <= LONGEST_RECORD_NAME:
        return last or NAMELESS
    suffix = f"{dot}{ending}" if dot and len(ending) <= 10 else ""
    return (stem or last)[: LONGEST_RECORD_NAME - len(suffix)] + suffix


def check_record(record_id: uuid.UUID) -> None:
    """Reads and judges one record. Idempotent; takes no lock while it reads."""
    record = game_records.claim_for_check(record_id)
    if record is None:
        return
    _store_judgement(record, verdicts.judge_file(bytes(record.data), record.name, record.match))


def give_up(record_id: uuid.UUID) -> None:
    """Marks a record whose check takes too long. Idempotent."""
    record = GameRecord.objects.defer("data").get(pk=record_id)
    _store_judgement(record, Judgement(RecordState.TOO_MUCH, None))


def sweep() -> None:
    """Queues forgotten records, gives up records that no worker survives, and compares changed ones."""
    game_records.recheck_outdated()
    queue.enqueue_record_checks(game_records.claim_overdue_messages())
    for record_id in game_records.failed_records():
        give_up(record_id)
    changed = Q(compared_at__isnull=True) | ~Q(compared_at=F("match__version"))
    checked = GameRecord.objects.filter(changed, state=RecordState.CHECKED)
    for record in checked.exclude(match__state=MatchState.CANCELLED).defer("data"):
        compare_with_report(record)


def set_left_player(record: GameRecord, side: Side, actor: Actor) -> None:
    """Sets the side of the match of the file's left player, and compares again."""
    with transaction.atomic():
        match = lock_match(record.match_id).match
        current_record = GameRecord.objects.defer("data").get(pk=record.pk)
        before = {"left_player": current_record.left_player}
        game_records.set_left_player(current_record, side)
        scorecard.note_record(match)
        journal_entry = JournalEntry(
            "say left player", "match", match.pk, before, {"left_player": side.value}
        )
        journal.write(tournament_of(match), actor, journal_entry)
    compare_with_report(current_record)


def compare_with_report(record: GameRecord) -> None:
    """Opens a question if a checked record and the report differ; closes a question that is settled."""
    with transaction.atomic():
        match = lock_match(record.match_id).match
        current_record = GameRecord.objects.defer("data").get(pk=record.pk)
        reported = reported_score(match)
        players = match_record_players(current_record, player_names(match), reported)
        if players is None:
            return
        difference = _difference(current_record, players, reported)
        if questions.update_record_question(tournament_of(match), match, current_record, difference):
            pairing = _pairing_of(match)
            transaction.on_commit(lambda: _publish(pairing), robust=True)
        game_records.mark_compared(current_record, match.version)


def match_record_players(record: GameRecord, names: Names, reported: Points | None) -> PlayerMatch | None:
    """Matches the record's players and score with the report; None if the record is not fully checked."""
    if record.state != RecordState.CHECKED or record.verdict is None:
        return None
    verdict = record.verdict
    header = RecordHeader(
        names=(verdict["names"][0], verdict["names"][1]),
        score=(verdict["score"][0], verdict["score"][1]),
        is_finished=verdict["is_finished"],
        left_by_desk=Side(record.left_player) if record.left_player else None,
    )
    return match_players(header, names, reported)


def reported_score(match: Match) -> Points | None:
    """The score of the posted result or of the unconfirmed report; the match's left side first."""
    if match.state == MatchState.REPORTED:
        card = match.cards.filter(keeper=match.reported_by).first()
        return (card.left_points, card.right_points) if card is not None else None
    result = Result.objects.filter(match=match, superseded_by__isnull=True, kind=ResultKind.PLAYED).first()
    if result is None or result.left_points is None or result.right_points is None:
        return None
    points = (result.left_points, result.right_points)
    return points if result.left_id == match.left else (points[1], points[0])


def player_names(match: Match) -> Names:
    """The names of the match's left and right player."""
    names = dict(Entry.objects.filter(pk__in=(match.left, match.right)).values_list("pk", "player__name"))
    return names.get(match.left, ""), names.get(match.right, "")


def tournament_of(match: Match) -> Tournament:
    """The tournament in which the match was opened, even if its players have changed since."""
    return Tournament.objects.select_related("event").get(entries__pk=match.left)


def _difference(record: GameRecord, players: PlayerMatch, reported: Points | None) -> RecordDifference | None:
    if players.agrees is not False or reported is None:
        return None
    is_sure = players.left_player is not None
    return RecordDifference(Keeper(record.uploaded_by), players.score, reported, is_sure=is_sure)


def _store_judgement(record: GameRecord, judgement: Judgement) -> None:
    """Stores the judgement unless another worker did, and publishes the change."""
    with transaction.atomic():
        match = lock_match(record.match_id).match
        if not game_records.store_judgement(record.pk, judgement):
            return
        scorecard.note_record(match)
        facts = {"record": record.pk, "state": str(judgement.state), **_problem_counts(judgement)}
        journal.write(
            tournament_of(match), SYSTEM, JournalEntry("check record", "match", match.pk, after=facts)
        )
        pairing = _pairing_of(match)
        transaction.on_commit(lambda: _publish(pairing), robust=True)
    compare_with_report(record)


def _problem_counts(judgement: Judgement) -> dict[str, object]:
    return dict(judgement.verdict["counts"]) if judgement.verdict else {}


def _pairing_of(match: Match) -> Pairing | None:
    return Pairing.objects.filter(match=match).select_related("match", "round__bracket__tournament").first()


def _publish_upload(record: GameRecord, pairing: Pairing) -> None:
    if record.is_waiting:
        queue.enqueue_record_checks([record.pk])
    channels.publish_score(pairing)


def _publish(pairing: Pairing | None) -> None:
    if pairing is not None:
        channels.publish_score(pairing)
