"""The flow monitor on stored events: what was opened, called and written down becomes a forecast."""

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
from tournament.entries.registration import EntryCard, PlayerCard
from tournament.events import setup
from tournament.forecast.moment import PlanChange
from tournament.models import Call, Room, Table
from tournament.queries.forecast.forecast import flow_of, flow_shown
from tournament.queries.forecast.loading import underway
from tournament.queries.forecast.times import minute
from tournament.queries.forecast.what_if import choices, compared
from tournament.room import calls

pytestmark = pytest.mark.django_db

MORNING = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.fixture
def actor(db):
    return stories.director()


def told(event, now):
    return flow_shown(flow_of(event, now))


def opened(made, at):
    Match.objects.filter(pairing__round__bracket__tournament=made).update(opened_at=at)


def test_before_the_draw_it_is_planned_with_who_is_entered_from_the_morning_of_the_event(actor):
    made = stories.entered(actor, 16, lengths=(9, 7))
    shown = told(made.event, MORNING - timedelta(days=3))
    assert (shown.at.date(), shown.span.early.date()) == (
        (MORNING - timedelta(days=3)).date(),
        MORNING.date(),
    )
    assert [(one.name, one.length, one.matches) for one in shown.tournaments[0].rounds] == [
        ("Round of 16", 7, 8),
        ("Quarterfinals", 7, 4),
        ("Semifinals", 7, 2),
        ("Final", 9, 1),
    ]
    assert (shown.span.tells_day, shown.span.tells_last_day) == (True, False)
    assert 15 < shown.span.middle.hour + shown.span.middle.minute / 60 < 18
    later = MORNING + timedelta(hours=4)
    type(made).objects.filter(pk=made.pk).update(starts_at=later)
    assert told(made.event, MORNING).span.early > shown.span.early + timedelta(hours=3)


def test_a_format_that_cannot_be_played_says_why(actor):
    made = stories.entered(actor, 3, format=Format(kind=Kind.GROUPS, groups=4, qualifiers=2))
    (shown,) = told(made.event, MORNING).tournaments
    assert shown.span is None
    assert shown.why_not


def test_a_match_that_lags_behind_is_slow_and_holds_the_event_up(actor):
    made = seeded(actor, 8, lengths=(7,))
    opened(made, MORNING)
    now = MORNING + timedelta(minutes=80)
    quick, lagging = meeting(made, 1, 8), meeting(made, 4, 5)
    for pairing, points in ((quick, 13), (lagging, 2), (meeting(made, 2, 7), 13), (meeting(made, 3, 6), 13)):
        Phone(pairing, Keeper.LEFT).game("left")
        Match.objects.filter(pk=pairing.match_id).update(
            began_at=MORNING + timedelta(minutes=20),
            left_points=min(6, points // 2 + points % 2),
            right_points=min(6, points // 2),
        )
    shown = told(made.event, now)
    assert [one.match.pairing for one in shown.held] == [lagging.pk]
    assert shown.held[0].percent > 60
    assert shown.held[0].is_playing
    assert shown.slow[0].match.pairing == lagging.pk
    assert (shown.slow[0].points, shown.slow[0].minutes, shown.slow[0].planned) == (2, 73, 10)
    assert (shown.held[0].match.left, shown.held[0].match.right) == (
        lagging.left.player.name,
        lagging.right.player.name,
    )
    assert shown.held[0].match.round_name == "Quarterfinals"


def test_matches_of_a_draw_that_is_undone_while_their_forecast_is_made_are_told_no_more(actor):
    made = stories.released(actor, 4, lengths=(7,))
    for pairing in stories.playable(made):
        calls.call(pairing.pk, None, actor)
    flow = flow_of(made.event, timezone.now() + timedelta(hours=5))
    before = flow_shown(flow)
    assert before.held
    assert before.slow
    draws.undo(made.pk, actor, "Somebody came late")
    after = flow_shown(flow)
    assert (after.held, after.slow, after.span) == ((), (), before.span)


def test_a_called_match_began_when_it_was_seen_to_play_and_others_wait_for_a_table(actor):
    made = seeded(actor, 8, lengths=(7,))
    opened(made, MORNING)
    room = Room.objects.create(event=made.event)
    tables = [Table.objects.create(room=room, name=str(number), position=number) for number in (1, 2, 3)]
    Table.objects.filter(pk=tables[2].pk).update(is_reserved=True)
    alone = told(made.event, MORNING)
    assert alone.tables == 2
    row = meeting(made, 1, 8)
    seen = MORNING + timedelta(minutes=12)
    Call.objects.create(
        room=room, pairing=row, match=row.match, table=tables[0], called_at=MORNING, playing_at=seen
    )
    now = MORNING + timedelta(minutes=50)
    moment = underway(made.event, now).moment
    began = {one.key: one.status.began for one in moment.matches}
    assert began.pop(row.pk) == minute(seen)
    assert set(began.values()) == {None}
    (behind,) = told(made.event, now).slow
    assert (behind.match.table, behind.minutes, behind.points) == ("1", 38, 0)


def test_without_a_room_whoever_can_play_is_taken_to_play_once_anybody_does(actor):
    made = seeded(actor, 8, lengths=(7,))
    opened(made, MORNING)
    now = MORNING + timedelta(minutes=30)
    assert not any(one.status.began for one in underway(made.event, now).moment.matches)
    Phone(meeting(made, 1, 8), Keeper.LEFT).game("left")
    Match.objects.filter(began_at__isnull=False).update(began_at=MORNING + timedelta(minutes=20))
    began = [one.status.began for one in underway(made.event, now).moment.matches if one.status.began]
    assert [minutes - minute(MORNING) for minutes in began] == pytest.approx([7, 7, 7, 7])


def test_results_teach_the_pace_and_shorter_finals_end_earlier(actor):
    made = seeded(actor, 8, lengths=(7,))
    opened(made, MORNING)
    for seeds in ((1, 8), (4, 5), (2, 7)):
        row = meeting(made, *seeds)
        stories.play(row, actor, "left", (7, 3))
        end = MORNING + timedelta(minutes=105)
        row.results.update(posted_at=end)
        Match.objects.filter(pk=row.match_id).update(
            began_at=MORNING + timedelta(minutes=15), reported_at=end
        )
    flow = flow_of(made.event, MORNING + timedelta(minutes=106))
    shown = flow_shown(flow)
    assert shown.learnt_from == 3
    assert 105 < shown.pace < 125
    final = next(one for one in choices(flow) if one.label == "Final")
    (both,) = compared(flow, PlanChange({final.part: 3}))
    assert 30 <= both.earlier <= 70
    assert both.then.late < both.now.late
    for length in (1, 5, 9, 11):
        (both,) = compared(flow, PlanChange({final.part: length}))
        said = (both.now.middle - both.then.middle) / timedelta(minutes=1)
        assert both.earlier - both.later == said, "as the two middles say"


@pytest.mark.parametrize("kind", [Kind.KNOCKOUT, Kind.SWISS])
def test_a_player_of_two_tournaments_is_at_one_table_only(actor, kind):
    made = stories.entered(actor, 2, lengths=(7,))
    chosen = Format(kind, rounds=1) if kind == Kind.SWISS else Format()
    side = setup.create_tournament(
        made.event, setup.TournamentPlan("Side", PRESETS["tournament"], (7,), format=chosen), actor
    )
    for name in ("Guest 1", "Guest 2"):
        registration.enter(side.pk, EntryCard(PlayerCard(name)), actor)
    guests = underway(made.event, MORNING).moment
    own = told(made.event, MORNING).span.middle
    for guest, entry in zip(side.entries.all(), made.entries.all(), strict=True):
        type(guest).objects.filter(pk=guest.pk).update(player=entry.player_id)
    assert told(made.event, MORNING).span.middle >= own + timedelta(minutes=45)
    draws.make(made.pk, draws.DrawPlan(), actor)
    draws.release(made.pk, actor)
    half_drawn = underway(made.event, MORNING).moment
    assert len(half_drawn.matches) == len(guests.matches)
    assert told(made.event, MORNING).span.middle >= own + timedelta(minutes=45)


@pytest.mark.parametrize("entries", [8, 16])
def test_an_event_takes_no_more_statements_when_it_is_larger(actor, entries, django_assert_max_num_queries):
    made = seeded(actor, entries, lengths=(7,), format=Format(consolation="progressive"))
    plan = setup.TournamentPlan(
        "Swiss", PRESETS["tournament"], (5,), format=Format(kind=Kind.SWISS, rounds=4)
    )
    other = setup.create_tournament(made.event, plan, actor)
    for number in range(entries):
        registration.enter(other.pk, EntryCard(PlayerCard(f"Player {number}")), actor)
    draws.make(other.pk, draws.DrawPlan(), actor)
    draws.release(other.pk, actor)
    with django_assert_max_num_queries(25):
        shown = told(made.event, timezone.now())
    assert [len(one.rounds) > 2 for one in shown.tournaments] == [True, True]
    assert [one.name for one in shown.tournaments[1].rounds] == [f"Round {number}" for number in (1, 2, 3, 4)]
