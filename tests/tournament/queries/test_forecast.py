"""Forecasts of stored events."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import Match
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.forecast.moment import PlanChange
from tournament.models import Call, Room, Table
from tournament.queries.forecast.forecast import forecast_event, forecast_page
from tournament.queries.forecast.loading import load_forecast_input
from tournament.queries.forecast.times import minute
from tournament.queries.forecast.what_if import compare_ends, round_choices
from tournament.room import calls

pytestmark = pytest.mark.django_db

MORNING = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    return seeded(actor_of_module, 8, lengths=(7,))


def load_page(event, now):
    return forecast_page(forecast_event(event, now))


def set_opened(made, at):
    Match.objects.filter(pairing__round__bracket__tournament=made).update(opened_at=at)


def test_before_the_draw_the_forecast_plans_with_the_entries_from_the_morning_of_the_event(actor):
    made = stories.entered(actor, 16, lengths=(9, 7))
    page = load_page(made.event, MORNING - timedelta(days=3))
    assert (page.at.date(), page.span.early.date()) == (
        (MORNING - timedelta(days=3)).date(),
        MORNING.date(),
    )
    assert [(row.name, row.length, row.matches) for row in page.tournaments[0].rounds] == [
        ("Round of 16", 7, 8),
        ("Quarterfinals", 7, 4),
        ("Semifinals", 7, 2),
        ("Final", 9, 1),
    ]
    assert (page.span.shows_day, page.span.shows_last_day) == (True, False)
    assert 15 < page.span.middle.hour + page.span.middle.minute / 60 < 18
    later = MORNING + timedelta(hours=4)
    type(made).objects.filter(pk=made.pk).update(starts_at=later)
    assert load_page(made.event, MORNING).span.early > page.span.early + timedelta(hours=3)


def test_a_format_that_cannot_be_played_gives_a_reason_instead_of_a_forecast(actor):
    made = stories.entered(actor, 3, format=Format(kind=Kind.GROUPS, groups=4, qualifiers=2))
    (page,) = load_page(made.event, MORNING).tournaments
    assert page.span is None
    assert page.why_not


def test_a_match_behind_its_planned_pace_is_slow_and_delays_the_end(actor, made):
    set_opened(made, MORNING)
    now = MORNING + timedelta(minutes=80)
    quick, lagging = meeting(made, 1, 8), meeting(made, 4, 5)
    for pairing, points in ((quick, 13), (lagging, 2), (meeting(made, 2, 7), 13), (meeting(made, 3, 6), 13)):
        Phone(pairing, Keeper.LEFT).game("left")
        Match.objects.filter(pk=pairing.match_id).update(
            began_at=MORNING + timedelta(minutes=20),
            left_points=min(6, points // 2 + points % 2),
            right_points=min(6, points // 2),
        )
    page = load_page(made.event, now)
    assert [delaying.match.pairing for delaying in page.held] == [lagging.pk]
    assert page.held[0].percent > 60
    assert page.held[0].is_playing
    assert page.slow[0].match.pairing == lagging.pk
    assert (page.slow[0].points, page.slow[0].minutes, page.slow[0].planned) == (2, 73, 10)
    assert (page.held[0].match.left, page.held[0].match.right) == (
        lagging.left.player.name,
        lagging.right.player.name,
    )
    assert page.held[0].match.round_name == "Quarterfinals"


def test_matches_of_a_draw_undone_during_the_forecast_are_left_out(actor):
    made = stories.released(actor, 4, lengths=(7,))
    for pairing in stories.playable(made):
        calls.call(pairing.pk, None, actor)
    event_forecast = forecast_event(made.event, timezone.now() + timedelta(hours=5))
    before = forecast_page(event_forecast)
    assert before.held
    assert before.slow
    draws.undo(made.pk, actor, "Somebody came late")
    after = forecast_page(event_forecast)
    assert (after.held, after.slow, after.span) == ((), (), before.span)


def test_a_called_match_begins_when_the_desk_marks_it_as_playing_and_others_wait_for_a_table(actor, made):
    set_opened(made, MORNING)
    room = Room.objects.create(event=made.event)
    tables = [Table.objects.create(room=room, name=str(number), position=number) for number in (1, 2, 3)]
    Table.objects.filter(pk=tables[2].pk).update(is_reserved=True)
    alone = load_page(made.event, MORNING)
    assert alone.tables == 2
    row = meeting(made, 1, 8)
    start = MORNING + timedelta(minutes=12)
    Call.objects.create(
        room=room, pairing=row, match=row.match, table=tables[0], called_at=MORNING, playing_at=start
    )
    now = MORNING + timedelta(minutes=50)
    moment = load_forecast_input(made.event, now).moment
    began = {match.key: match.status.began for match in moment.matches}
    assert began.pop(row.pk) == minute(start)
    assert set(began.values()) == {None}
    (behind,) = load_page(made.event, now).slow
    assert (behind.match.table, behind.minutes, behind.points) == ("1", 38, 0)


def test_without_a_room_all_ready_matches_count_as_begun_once_one_has_begun(actor, made):
    set_opened(made, MORNING)
    now = MORNING + timedelta(minutes=30)
    assert not any(match.status.began for match in load_forecast_input(made.event, now).moment.matches)
    Phone(meeting(made, 1, 8), Keeper.LEFT).game("left")
    Match.objects.filter(began_at__isnull=False).update(began_at=MORNING + timedelta(minutes=20))
    began = [
        match.status.began
        for match in load_forecast_input(made.event, now).moment.matches
        if match.status.began
    ]
    assert [minutes - minute(MORNING) for minutes in began] == pytest.approx([7, 7, 7, 7])


def test_results_set_the_pace_and_a_shorter_final_ends_earlier(actor, made):
    set_opened(made, MORNING)
    for seeds in ((1, 8), (4, 5), (2, 7)):
        row = meeting(made, *seeds)
        stories.play(row, actor, "left", (7, 3))
        end = MORNING + timedelta(minutes=105)
        row.results.update(posted_at=end)
        Match.objects.filter(pk=row.match_id).update(
            began_at=MORNING + timedelta(minutes=15), reported_at=end
        )
    event_forecast = forecast_event(made.event, MORNING + timedelta(minutes=106))
    page = forecast_page(event_forecast)
    assert page.learnt_from == 3
    assert 105 < page.pace < 125
    final = next(choice for choice in round_choices(event_forecast) if choice.label == "Final")
    (ends,) = compare_ends(event_forecast, PlanChange({final.part: 3}))
    assert 30 <= ends.earlier <= 70
    assert ends.then.late < ends.now.late
    for length in (1, 5, 9, 11):
        (ends,) = compare_ends(event_forecast, PlanChange({final.part: length}))
        minutes = (ends.now.middle - ends.then.middle) / timedelta(minutes=1)
        assert ends.earlier - ends.later == minutes


@pytest.mark.parametrize("kind", [Kind.KNOCKOUT, Kind.SWISS])
def test_a_player_of_two_tournaments_plays_one_match_at_a_time(actor, kind):
    made = stories.entered(actor, 2, lengths=(7,))
    chosen = Format(kind, rounds=1) if kind == Kind.SWISS else Format()
    side = setup.create_tournament(
        made.event, setup.TournamentPlan("Side", PRESETS["tournament"], (7,), format=chosen), actor
    )
    for name in ("Guest 1", "Guest 2"):
        registration.enter(side.pk, EntryDetails(PlayerDetails(name)), actor)
    guests = load_forecast_input(made.event, MORNING).moment
    own = load_page(made.event, MORNING).span.middle
    for guest, entry in zip(side.entries.all(), made.entries.all(), strict=True):
        type(guest).objects.filter(pk=guest.pk).update(player=entry.player_id)
    assert load_page(made.event, MORNING).span.middle >= own + timedelta(minutes=45)
    draws.make(made.pk, draws.DrawPlan(), actor)
    draws.release(made.pk, actor)
    half_drawn = load_forecast_input(made.event, MORNING).moment
    assert len(half_drawn.matches) == len(guests.matches)
    assert load_page(made.event, MORNING).span.middle >= own + timedelta(minutes=45)


def test_an_event_with_rounds_of_every_kind_takes_few_statements(actor, django_assert_max_num_queries):
    made = seeded(actor, 8, lengths=(7,), format=Format(consolation="progressive"))
    plan = setup.TournamentPlan(
        "Swiss", PRESETS["tournament"], (5,), format=Format(kind=Kind.SWISS, rounds=4)
    )
    second_tournament = setup.create_tournament(made.event, plan, actor)
    for number in range(8):
        registration.enter(second_tournament.pk, EntryDetails(PlayerDetails(f"Player {number}")), actor)
    draws.make(second_tournament.pk, draws.DrawPlan(), actor)
    draws.release(second_tournament.pk, actor)
    with django_assert_max_num_queries(25):
        page = load_page(made.event, timezone.now())
    assert [len(tournament.rounds) > 2 for tournament in page.tournaments] == [True, True]
    assert [row.name for row in page.tournaments[1].rounds] == [f"Round {number}" for number in (1, 2, 3, 4)]
