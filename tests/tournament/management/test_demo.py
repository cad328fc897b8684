"""The demonstration: a weekend that looks alive, made once."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from matches.keepers import Keeper
from matches.models import GameRecord, Match, MatchState
from tournament.models import (
    Call,
    Draw,
    Event,
    JournalLine,
    Pairing,
    PersonalLink,
    Question,
    Result,
    Tournament,
)
from tournament.queries.cards.card import load_phone_match
from tournament.queries.cards.two_cards import compare_cards
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list
from tournament.queries.money.payouts import payout_list
from tournament.queries.records import load_records

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("weekend")]


def demo() -> str:
    output = StringIO()
    call_command("demo", stdout=output)
    return output.getvalue()


@pytest.fixture(scope="module")
def weekend(django_db_setup, django_db_blocker):
    """What the command said. One weekend for all: every test takes back what it adds, and the last one all of it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield demo()
        transaction.set_rollback(True)


def test_the_weekend_is_in_full_swing():
    made = {tournament.name: tournament for tournament in Tournament.objects.all()}
    states = set(
        Match.objects.filter(pairing__round__bracket__tournament=made["Open"]).values_list("state", flat=True)
    )
    assert states == {MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED, MatchState.POSTED}
    assert made["Open"].entries.count() == 48
    assert Draw.objects.get(tournament=made["Intermediate"]).released_at is None
    assert not Pairing.objects.filter(round__bracket__tournament=made["Friday evening"], settled="").exists()
    assert {question.kind for question in Question.objects.all()} == {"disagreement", "late_card"}
    assert PersonalLink.objects.filter(approved_at__isnull=True).count() == 2
    assert JournalLine.objects.count() > 150


def test_pairs_keep_two_cards_and_one_of_them_lacks_a_game():
    doubles = Tournament.objects.get(name="Doubles")
    assert (doubles.doubles, doubles.two_cards, doubles.entries.count()) == (True, True, 4)
    [under_way] = Pairing.objects.filter(
        round__bracket__tournament=doubles, match__state=MatchState.OPEN, match__began_at__isnull=False
    ).select_related("match", "left__player", "right__player", "round__bracket__tournament__event")
    shown = compare_cards(load_phone_match(under_way, Keeper.RIGHT))
    assert [(line.number, line.way) for line in shown.lines] == [(2, "put_in")]


def test_running_scores_stand_on_the_cards():
    running = Match.objects.filter(state=MatchState.OPEN, began_at__isnull=False)
    assert running.count() >= 5
    assert all(match.left_points + match.right_points > 0 for match in running)


def test_every_result_is_advanced_already():
    assert Result.objects.exists()
    assert not Result.objects.filter(advanced_at__isnull=True).exists()


def test_a_second_demo_reports_the_existing_event(weekend):
    second = demo()
    assert "was created: /e/harbour-weekend/" in weekend
    assert "exists already: /e/harbour-weekend/" in second
    assert "/sign-in/" in second
    assert Event.objects.count() == 1


def test_two_matches_have_records_one_clean_and_one_with_a_fault_and_both_come_to_the_result():
    clean, fault = (load_records(record.match).records[0] for record in GameRecord.objects.order_by("name"))
    assert clean.is_clean
    assert fault.errors > 1
    assert len([match_fault for match_fault in fault.faults() if match_fault.first.problem.is_error]) == 1
    assert clean.agrees
    assert fault.agrees
    assert all(name in clean.file_names for name in clean.names)


def test_everybody_who_plays_sits_at_a_table_and_some_are_called():
    standing = Call.objects.filter(ended_at__isnull=True)
    playing = standing.filter(playing_at__isnull=False)
    begun = Match.objects.filter(state=MatchState.OPEN, began_at__isnull=False)
    assert set(playing.values_list("match", flat=True)) == set(begun.values_list("pk", flat=True))
    assert standing.filter(playing_at__isnull=True).count() == 3
    assert not standing.filter(table__is_reserved=True).exists()


def test_the_books_show_debts_claims_and_paid_prizes_and_balance():
    (event,) = Event.objects.all()
    assert differences_in_books(event) == []
    lines = cash_desk_list(event)
    assert sum(bool(line.debts) for line in lines) == 4
    prizes = payout_list(event)
    assert (len(prizes.to_pay), any(line.paid for line in prizes.paid)) == (1, True)
