"""One race for each lock."""

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from matches.keepers import Keeper
from matches.locking import LockedMatch
from matches.models import GameRecord, Match, MatchState
from matches.rows import FinalScore, NewRow
from rules.score import Ending, Game, Side, Win
from tests.tournament import stories
from tests.tournament.races import race, refusals, wait_for_blocked_transaction
from tournament import corrections
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing as progression
from tournament.brackets.advancing import LockedTournament
from tournament.corrections import Preview
from tournament.corrections.previewing import PreviewChanged
from tournament.draw.formats import Format, Kind
from tournament.drawing import pair_rules, round_release, rounds
from tournament.entries import attendance
from tournament.entries.attendance import Mark
from tournament.models import Correction, Feed, Pairing, Result, ResultKind, Round, RoundRelease, Tournament
from tournament.queries.forecast.forecast import forecast_event, forecast_page
from tournament.queries.forecast.loading import load_forecast_input
from tournament.queries.room.room import room_page
from tournament.records import checking
from tournament.results import desk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def semifinals() -> Tournament:
    """Four players, drawn and released."""
    return stories.released(stories.director(), 4, lengths=(5,))


def pairings(tournament: Tournament, number: int) -> list[Pairing]:
    return list(stories.pairings(tournament).filter(round__number=number))


def match_of(pairing: Pairing) -> Match:
    assert pairing.match_id
    return Match.objects.get(pk=pairing.match_id)


def final_score(pairing: Pairing) -> NewRow:
    return NewRow(uuid.uuid4(), match_of(pairing).pk, FinalScore(5, 3))


def report(pairing: Pairing) -> None:
    desk.enter(pairing, Keeper.LEFT, final_score(pairing), SYSTEM)


def post(pairing: Pairing) -> Result:
    """Reported by the left player and confirmed by the right one; no worker is there to advance it."""
    report(pairing)
    desk.confirm(pairing, Keeper.RIGHT, None, SYSTEM)
    return Result.objects.get(pairing=pairing)


@contextmanager
def advancing(result: Result) -> Iterator[None]:
    """The first of two workers: it has moved its winner on and has not committed yet."""
    with transaction.atomic():
        progression.advance(result.pk)
        yield


@contextmanager
def without_the_tournament_lock(tournament_id: uuid.UUID) -> Iterator[LockedTournament]:
    yield LockedTournament(Tournament.objects.get(pk=tournament_id))


def without_the_match_lock(match_id: uuid.UUID) -> LockedMatch:
    match = Match.objects.get(pk=match_id)
    return LockedMatch(match, {Keeper(card.keeper): card for card in match.cards.all()})


def finalists(tournament: Tournament) -> set[uuid.UUID | None]:
    final = pairings(tournament, 2)[0]
    return {final.left_id, final.right_id}


def test_concurrent_semifinal_results_seat_both_finalists(semifinals):
    first, second = [post(pairing) for pairing in pairings(semifinals, 1)]
    race(advancing(first), lambda: progression.advance(second.pk))
    assert finalists(semifinals) == {first.winner_id, second.winner_id}
    assert pairings(semifinals, 2)[0].match is not None


def test_without_the_tournament_lock_one_finalist_is_lost(semifinals, monkeypatch):
    first, second = [post(pairing) for pairing in pairings(semifinals, 1)]
    monkeypatch.setattr(progression, "lock_tournament", without_the_tournament_lock)
    race(advancing(first), lambda: progression.advance(second.pk))
    assert finalists(semifinals) == {None, second.winner_id}


def test_a_result_taken_by_two_workers_is_advanced_once(semifinals):
    result = post(pairings(semifinals, 1)[0])
    outcomes: list[bool] = []
    race(advancing(result), lambda: outcomes.append(progression.advance(result.pk)))
    assert outcomes == [False]


def test_concurrent_confirmations_of_a_report_post_one_result(semifinals):
    pairing = pairings(semifinals, 1)[0]
    report(pairing)

    @contextmanager
    def opponent_confirms() -> Iterator[None]:
        with transaction.atomic():
            desk.confirm(pairing, Keeper.RIGHT, None, SYSTEM)
            yield

    race(opponent_confirms(), lambda: desk.confirm(pairing, Keeper.DESK, None, SYSTEM))
    assert [result.confirmed_by for result in Result.objects.all()] == ["right"]


def test_a_score_corrected_during_its_confirmation_is_posted_as_corrected(semifinals):
    """The cards are read after the lock of the match is taken."""
    pairing = pairings(semifinals, 1)[0]
    first = final_score(pairing)
    desk.enter(pairing, Keeper.LEFT, first, SYSTEM)
    corrected = NewRow(uuid.uuid4(), first.key, FinalScore(1, 5), supersedes=first.key)

    @contextmanager
    def left_player_corrects() -> Iterator[None]:
        with transaction.atomic():
            desk.enter(pairing, Keeper.LEFT, corrected, SYSTEM)
            yield
            wait_for_blocked_transaction()

    confirm = lambda: desk.confirm(pairing, Keeper.RIGHT, None, SYSTEM)  # noqa: E731
    race(left_player_corrects(), confirm, str(pairing.match_id))
    posted = Result.objects.get()
    assert (posted.left_points, posted.right_points, posted.winner_id) == (1, 5, pairing.right_id)


@contextmanager
def left_player_reporting(pairing: Pairing) -> Iterator[None]:
    """The left player's phone has handed in the final score and its transaction is still open."""
    with transaction.atomic():
        report(pairing)
        yield


def right_player_reports(pairing: Pairing) -> None:
    desk.enter(pairing, Keeper.RIGHT, final_score(pairing), SYSTEM)


def test_concurrent_reports_of_two_phones_confirm_each_other(semifinals):
    pairing = pairings(semifinals, 1)[0]
    race(left_player_reporting(pairing), lambda: right_player_reports(pairing))
    match = match_of(pairing)
    assert (match.state, match.reported_by) == (MatchState.POSTED, "left")


def test_without_the_match_lock_both_phones_report_first(semifinals, monkeypatch):
    pairing = pairings(semifinals, 1)[0]
    monkeypatch.setattr(desk, "lock_match", without_the_match_lock)
    # With SQLite a transaction is the lock.
    monkeypatch.setattr(
        desk, "transaction", SimpleNamespace(atomic=nullcontext, on_commit=transaction.on_commit)
    )
    race(left_player_reporting(pairing), lambda: right_player_reports(pairing))
    match = match_of(pairing)
    assert (match.state, match.reported_by) == (MatchState.REPORTED, "right")


def test_a_row_sent_twice_concurrently_is_written_once(semifinals):
    pairing = pairings(semifinals, 1)[0]
    writing = final_score(pairing)
    answers: list[desk.RowOutcome] = []

    @contextmanager
    def first_tap() -> Iterator[None]:
        with transaction.atomic():
            desk.enter(pairing, Keeper.LEFT, writing, SYSTEM)
            yield

    race(first_tap(), lambda: answers.append(desk.enter(pairing, Keeper.LEFT, writing, SYSTEM)))
    assert [answer.written.is_repeat for answer in answers if answer.written] == [True]
    assert match_of(pairing).cards.get().rows_written == 1


def test_a_player_who_arrives_meanwhile_is_not_withdrawn_as_absent(semifinals):
    entries = list(semifinals.entries.all())

    @contextmanager
    def arriving() -> Iterator[None]:
        with transaction.atomic():
            attendance.check_in(entries[0], SYSTEM, present=True)
            yield

    chosen = [entry.pk for entry in entries[:2]]
    race(arriving(), lambda: attendance.mark_absent(semifinals, chosen, SYSTEM, Mark.WITHDRAWN))
    assert list(semifinals.entries.filter(withdrawn_at__isnull=False)) == entries[1:2]


def bring(pairing: Pairing, keeper: Keeper) -> bool:
    """The same file from either phone; whether it was new."""
    return checking.upload(pairing, keeper, b"the same bytes", f"{keeper}.mat", SYSTEM)[1]


def test_a_record_uploaded_by_both_phones_concurrently_is_stored_once(semifinals):
    pairing = pairings(semifinals, 1)[0]
    outcomes: list[bool] = []

    @contextmanager
    def left_phone_brings() -> Iterator[None]:
        with transaction.atomic():
            assert bring(pairing, Keeper.LEFT)
            yield

    race(left_phone_brings(), lambda: outcomes.append(bring(pairing, Keeper.RIGHT)))
    assert outcomes == [False]
    assert GameRecord.objects.get().name == "left.mat"


@contextmanager
def left_player_beginning(pairing: Pairing) -> Iterator[None]:
    """The left player's phone has handed in the first game and its transaction is still open."""
    with transaction.atomic():
        game = Game(Side.LEFT, Win.SINGLE, Ending.PLAYED)
        desk.enter(pairing, Keeper.LEFT, NewRow(uuid.uuid4(), match_of(pairing).pk, game), SYSTEM)
        yield


def final_with(semifinals: Tournament) -> tuple[Pairing, Pairing]:
    """A semifinal that was played, and the final that waits for its first game."""
    for pairing in pairings(semifinals, 1):
        progression.advance(post(pairing).pk)
    return pairings(semifinals, 1)[0], pairings(semifinals, 2)[0]


def test_a_final_that_begins_during_a_correction_is_not_lost(semifinals):
    semifinal, final = final_with(semifinals)
    codes: list[str] = []
    change = corrections.Change(ResultKind.WALKOVER, semifinal.right_id)
    preview = corrections.preview(semifinal.pk, change)
    work = lambda: corrections.correct(preview, preview.digest, "Wrong side", SYSTEM)  # noqa: E731
    race(left_player_beginning(final), lambda: refusals(work, codes), str(final.match_id))
    assert codes == ["preview-changed"]
    assert match_of(final).state == MatchState.OPEN
    assert pairings(semifinals, 2)[0].match_id == final.match_id


def test_a_final_that_begins_while_a_semifinal_is_undone_is_not_lost(semifinals):
    semifinal, final = final_with(semifinals)
    codes: list[str] = []
    race(
        left_player_beginning(final),
        lambda: refusals(lambda: desk.retract(semifinal, "Not played", SYSTEM), codes),
        str(final.match_id),
    )
    assert codes == ["next-match-has-begun"]
    assert pairings(semifinals, 2)[0].match_id == final.match_id


def test_the_second_of_two_concurrent_corrections_gets_a_new_preview(semifinals):
    semifinal, _final = final_with(semifinals)
    previews = [
        corrections.preview(semifinal.pk, corrections.Change(kind, semifinal.right_id))
        for kind in (ResultKind.WALKOVER, ResultKind.NO_SHOW)
    ]
    codes: list[str] = []

    def correct(preview: Preview) -> None:
        corrections.correct(preview, preview.digest, "Wrong side", SYSTEM)

    @contextmanager
    def first_director_corrects() -> Iterator[None]:
        with transaction.atomic():
            correct(previews[0])
            yield

    race(first_director_corrects(), lambda: refusals(lambda: correct(previews[1]), codes))
    assert codes == ["preview-changed"]
    assert [made.pairing_id for made in Correction.objects.all()] == [semifinal.pk]


def test_a_round_paired_by_two_directors_concurrently_is_paired_once():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    codes: list[str] = []

    @contextmanager
    def first_director_pairs() -> Iterator[None]:
        with transaction.atomic():
            rounds.pair_next_round(made.pk, SYSTEM)
            yield

    race(first_director_pairs(), lambda: refusals(lambda: rounds.pair_next_round(made.pk, SYSTEM), codes))
    assert codes == ["round-is-open"]
    assert stories.pairings(made).filter(round__number=2).count() == 2


def test_a_round_that_a_director_stops_is_not_paired_automatically_at_the_same_moment():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    round_release.set_round_release(made.pk, RoundRelease.AUTOMATIC, SYSTEM, 0)
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)

    @contextmanager
    def director_stops() -> Iterator[None]:
        with transaction.atomic():
            round_release.stop_automatic_pairing(made.pk, 2, SYSTEM)
            yield

    race(director_stops(), lambda: round_release.pair_if_due(made.pk), str(made.pk))
    assert not stories.pairings(made).filter(round__number=2).exists()


def test_a_round_that_is_being_paired_obeys_a_rule_set_meanwhile():
    made = stories.released(stories.director(), 6, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    met = pairings(made, 1)[0]

    @contextmanager
    def director_sets_a_pair() -> Iterator[None]:
        with transaction.atomic():
            pair_rules.pair_by_hand(made.pk, met.left_id, met.right_id, "They asked for it", SYSTEM)
            yield

    race(director_sets_a_pair(), lambda: rounds.pair_next_round(made.pk, SYSTEM), str(made.pk))
    assert {met.left_id, met.right_id} in [{row.left_id, row.right_id} for row in pairings(made, 2)]


@contextmanager
def meanwhile(
    action: Callable[[], object], before_reading: type[Model], time: int = 1
) -> Iterator[list[str]]:
    """Runs the work once, just before the given read of these rows; yields a list with an item once it ran."""
    calls: list[str] = []
    left = time

    def do() -> None:
        action()
        calls.append("done")
        connection.close()

    def watch(execute, sql, params, many, context):
        nonlocal left
        if sql.startswith("SELECT") and f'FROM "{before_reading._meta.db_table}"' in sql:
            left -= 1
            if left == 0:
                with ThreadPoolExecutor(1) as threads:
                    threads.submit(do).result(20)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield calls


def test_a_preview_is_consistent_while_a_round_is_undone():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    rounds.pair_next_round(made.pk, SYSTEM)
    first = pairings(made, 1)[0]
    with meanwhile(
        lambda: rounds.take_back_round(made.pk, "Somebody came late", SYSTEM), before_reading=Feed
    ) as results:
        preview = corrections.preview(first.pk, corrections.Change(ResultKind.WALKOVER, first.right_id))
    assert results == ["done"]
    assert {row.round for row in preview.sheet.rows.values()} == {1, 2}
    with pytest.raises(PreviewChanged):
        corrections.correct(preview, preview.digest, "Wrong side", SYSTEM)


def test_a_forecast_is_consistent_while_a_round_is_paired():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    with meanwhile(lambda: rounds.pair_next_round(made.pk, SYSTEM), before_reading=Pairing) as results:
        moment = load_forecast_input(made.event, timezone.now()).moment
    assert results == ["done"]
    assert moment.matches == ()
    assert len(load_forecast_input(made.event, timezone.now()).moment.matches) == 2


def test_flow_and_room_pages_tolerate_a_round_paired_or_undone_meanwhile():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    with meanwhile(lambda: rounds.pair_next_round(made.pk, SYSTEM), before_reading=Round, time=2) as results:
        assert forecast_page(forecast_event(made.event, timezone.now()))
    assert results == ["done"]
    take_back = lambda: rounds.take_back_round(made.pk, "Somebody came late", SYSTEM)  # noqa: E731
    with meanwhile(take_back, before_reading=Round) as results:
        assert len(room_page(made.event).waiting) == 2
    assert results == ["done"]
    assert room_page(made.event).waiting == ()


def test_a_round_is_paired_from_results_not_yet_advanced():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.post(pairing, SYSTEM)
    assert rounds.pair_next_round(made.pk, SYSTEM).number == 2
