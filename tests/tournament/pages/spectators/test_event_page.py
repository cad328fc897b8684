"""The public page of an event: matches on now, calls, next matches, results, leaders and winners."""

import random
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.conftest import Hall
from tests.tournament.queries.cards import Phone
from tournament.draw.formats import Format, Kind
from tournament.models import Call, Draw, Room, Table, Tournament
from tournament.queries.events.live_matches import LiveState, live_matches
from tournament.queries.standings.leaders import find_leaders

pytestmark = pytest.mark.django_db


def fragment(made: Tournament, **headers: str):
    return Client().get(reverse("event-fragment", args=[made.event.slug]), headers=headers)


def test_a_match_moves_from_next_to_called_to_on_now_to_the_results(hall: Hall):
    row, made = hall.pairing, hall.tournament
    assert [match.state for match in live_matches([made]).ready] == [LiveState.READY] * 2
    room = Room.objects.create(event=made.event)
    table = Table.objects.create(room=room, name="Window", position=1)
    call = Call.objects.create(room=room, pairing=row, match=row.match, table=table, called_at=timezone.now())
    [called] = live_matches([made]).called
    assert (called.pairing_id, called.table) == (row.pk, "Window")
    Call.objects.filter(pk=call.pk).update(playing_at=timezone.now())
    [on] = live_matches([made]).playing
    assert (on.left.points, on.right.points) == (None, None)
    Phone(row, Keeper.LEFT).game("left")
    page = fragment(made).content.decode()
    assert "On now" in page
    assert "Table Window" in page
    stories.play(stories.pairings(made).get(pk=row.pk), hall.owner)
    page = fragment(made).content.decode()
    assert "On now" not in page
    assert "Latest results" in page
    assert "3–2" in page


def test_next_matches_have_each_player_once_and_nobody_who_plays(owner):
    made = stories.released(owner, 5, format=Format(Kind.ROUND_ROBIN))
    first = stories.playable(made)[0]
    stories.begin(first)
    ready = live_matches([made]).ready
    players = [side.entry_id for match in ready for side in (match.left, match.right)]
    assert ready
    assert len(players) == len(set(players))
    assert not {first.left_id, first.right_id} & set(players)


def test_nothing_of_a_hidden_draw_is_on_the_page(hall: Hall):
    stories.begin(hall.pairing)
    stories.play(hall.second_pairing, hall.owner)
    Draw.objects.update(released_at=None)
    page = fragment(hall.tournament).content.decode()
    for words in ("On now", "Latest results", "Next", hall.pairing.left.name):
        assert words not in page


def test_the_fragment_is_not_sent_again_while_nothing_changes(hall: Hall):
    page = Client().get(reverse("event", args=[hall.tournament.event.slug])).content.decode()
    etag = fragment(hall.tournament)["ETag"]
    assert f'data-etag="{etag.replace(chr(34), "&quot;")}"' in page
    assert fragment(hall.tournament, **{"If-None-Match": etag}).status_code == 304
    stories.begin(hall.pairing)
    assert fragment(hall.tournament, **{"If-None-Match": etag}).status_code == 200


def test_the_page_names_leaders_winners_and_starting_times(owner):
    made = stories.released(owner, 4, method="seeded", format=Format(Kind.SWISS, rounds=2))
    Tournament.objects.filter(pk=made.pk).update(starts_at=datetime(2026, 11, 20, 17, 30, tzinfo=UTC))
    assert find_leaders([made]) == {}
    [first, _] = stories.playable(made)
    winner = stories.play(first, owner).winner
    assert [leaders.names for leaders in find_leaders([made])[made.pk]] == [(winner.name,)]
    page = fragment(made).content.decode()
    assert "Leading" in page
    assert "Fri 17:30" in page


def test_entries_with_the_fewest_losses_lead_an_event_with_lives(owner):
    made = stories.released(owner, 5, format=Format(Kind.LIVES, lives=2))
    for row in stories.playable(made):
        stories.play(row, owner)
    [leaders] = find_leaders([made])[made.pk]
    assert (leaders.won, leaders.lost, len(leaders.names) + leaders.others) == (1, 0, 3)


def test_finished_tournaments_come_after_those_in_play(owner):
    made = stories.released(owner, 4)
    stories.play_out(made, owner, random.Random(1))
    second_tournament = stories.released(owner, 4)
    Tournament.objects.filter(pk=second_tournament.pk).update(event=made.event, name="Novice", slug="novice")
    page = fragment(made).content.decode()
    assert page.index("t-novice") < page.index(f"t-{made.slug}")
