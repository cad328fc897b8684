"""Running scores delayed or hidden for spectators; players and the desk see them at once."""

from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.keepers import Keeper
from matches.models import CardRow
from rules.score import Win
from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.phone_clients import phone as phone_with
from tests.tournament.queries.cards import Phone, seeded
from tournament.access.actors import STRANGER
from tournament.live import delayed_scores
from tournament.models import Pairing, Tournament
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.brackets.bracket_view import PairingView
from tournament.queries.desk.desk import load_desk
from tournament.queries.entries.path import load_path
from tournament.queries.matches.match import load_public_match, match_stamp
from tournament.results import desk, disputes
from tournament.runtime import publish

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


def time_passes(minutes: int) -> None:
    """Everything that was written until now was written so much earlier."""
    CardRow.objects.update(written_at=F("written_at") - timedelta(minutes=minutes))


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return seeded(actor_of_module, 4, lengths=(5,))


def holding_back(made: Tournament, delay: int | None) -> Pairing:
    """Returns a match of the tournament, whose scores spectators see with this delay in minutes, or never."""
    Tournament.objects.filter(pk=made.pk).update(score_delay=delay)
    made.refresh_from_db()
    return stories.playable(made)[0]


def pairing_view(made: Tournament, pairing: Pairing, *, live: bool = False) -> PairingView:
    bracket = bracket_view(Tournament.objects.get(pk=made.pk), live=live)
    return next(view for part in bracket.rounds for view in part.pairings if view.id == pairing.pk)


def score_view(view: PairingView) -> tuple[str, int | None, int | None, bool]:
    return view.state, view.left.points, view.right.points, view.is_crawford


def test_a_delayed_score_is_shown_with_its_delay(made):
    pairing = holding_back(made, 10)
    phone = Phone(pairing, LEFT)
    phone.game("left", win=Win.GAMMON)
    assert score_view(pairing_view(made, pairing)) == ("playing", None, None, False)
    assert score_view(pairing_view(made, pairing, live=True)) == ("playing", 2, 0, False)
    time_passes(6)
    phone.game("left", win=Win.GAMMON)
    time_passes(5)
    assert score_view(pairing_view(made, pairing)) == ("playing", 2, 0, False)
    time_passes(6)
    phone.undo()
    assert score_view(pairing_view(made, pairing)) == ("playing", 4, 0, True)
    assert score_view(pairing_view(made, pairing, live=True)) == ("playing", 2, 0, False)
    time_passes(11)
    assert score_view(pairing_view(made, pairing)) == ("playing", 2, 0, False)


def test_a_delayed_score_comes_from_the_card_written_last(made):
    pairing = holding_back(made, 10)
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    left.game("left")
    time_passes(1)
    right.game("right", win=Win.GAMMON)
    time_passes(11)
    left.game("left")
    assert score_view(pairing_view(made, pairing))[1:3] == (0, 2)


def test_an_end_is_seen_only_when_it_is_posted(made):
    pairing = holding_back(made, 10)
    phone = Phone(pairing, LEFT)
    phone.final(5, 1)
    assert score_view(pairing_view(made, pairing)) == ("playing", None, None, False)
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    assert score_view(pairing_view(made, pairing))[0] == "playing"
    assert pairing_view(made, pairing, live=True).state == "disputed"
    disputes.rule(pairing, disputes.Ruling.for_card(LEFT, "As reported."), STRANGER)
    assert score_view(pairing_view(made, pairing)) == ("decided", 5, 1, False)


def test_a_hidden_score_shows_only_that_the_match_is_running(made):
    pairing = holding_back(made, None)
    phone = Phone(pairing, LEFT)
    assert score_view(pairing_view(made, pairing))[0] == "ready"
    phone.game("left", cube=2, win=Win.GAMMON)
    time_passes(60 * 24)
    assert score_view(pairing_view(made, pairing)) == ("playing", None, None, False)
    phone.final(5, 0)
    desk.confirm(pairing, RIGHT, phone.tail, STRANGER)
    assert score_view(pairing_view(made, pairing)) == ("decided", 5, 0, False)


@pytest.mark.parametrize("delay", [10, None])
def test_bracket_match_page_player_page_and_stamps_agree(made, delay):
    pairing = holding_back(made, delay)
    before = stamp_of(made), match_stamp(stories.pairings(made).get(pk=pairing.pk))
    Phone(pairing, LEFT).game("left")
    row = stories.pairings(made).get(pk=pairing.pk)
    begun = stamp_of(made), match_stamp(row)
    assert begun[0] != before[0]
    assert begun[1] != before[1]
    assert bracket_view(made).stamp == begun[0]
    assert [side.points for side in load_public_match(row, row.match).sides] == [None, None]
    assert (load_path(row.left).next.mine, load_path(row.left, live=True).next.mine) == (None, 1)
    time_passes(11)
    visible_points = None if delay is None else 1
    assert (
        load_public_match(row, row.match).sides[0].points == load_path(row.left).next.mine == visible_points
    )
    assert (stamp_of(made) != begun[0]) == (match_stamp(row) != begun[1]) == (delay is not None)
    assert load_public_match(row, row.match, live=True).sides[0].points == 1
    assert stamp_of(made, live=True) != stamp_of(made)


def test_the_desk_sees_every_score_at_once(made):
    pairing = holding_back(made, 10)
    Phone(pairing, LEFT).game("left")
    assert next(line for line in load_desk(made).lines if line.state == "playing").pairing.left.points == 1


def test_delayed_scores_take_no_more_statements_for_4_matches_than_for_one():
    taken = []
    for entries, playing in ((4, 1), (8, 4)):
        made = seeded(stories.director(), entries, score_delay=5)
        for pairing in stories.playable(made)[:playing]:
            Phone(pairing, LEFT).game("left")
        with CaptureQueriesContext(connection) as statements:
            bracket_view(made)
        with CaptureQueriesContext(connection) as stamped:
            stamp_of(made)
        taken.append((len(statements), len(stamped)))
    assert taken[0] == taken[1]
    assert taken[0][1] == 2


@pytest.mark.usefixtures("hall_of_module")
def test_over_http_onlookers_wait_and_players_and_the_desk_do_not(hall):
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=10)
    Phone(hall.pairing, LEFT).game("left", win=Win.GAMMON)
    where = [hall.tournament.event.slug, hall.tournament.slug]
    pages = [reverse("match-page", args=[*where, hall.pairing.match_id]), reverse("bracket", args=where)]
    at_desk, owner = Client(), hall.owner.user
    at_desk.force_login(owner)
    marks = ('side__points">2<', 'seat__points">2<')
    for address, mark in zip(pages, marks, strict=True):
        assert mark not in Client().get(address).content.decode()
        assert mark in at_desk.get(address).content.decode()
    assert marks[0] in phone_with(hall.right).get(pages[0]).content.decode()
    assert marks[0] not in phone_with(hall.elsewhere).get(pages[0]).content.decode()
    fragment = reverse("match-fragment", args=[*where, hall.pairing.match_id])
    before = Client().get(fragment)
    assert Client().get(fragment, headers={"If-None-Match": before["ETag"]}).status_code == 304
    time_passes(11)
    after = Client().get(fragment, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, marks[0] in after.content.decode()) == (200, True)


@pytest.mark.usefixtures("hall_of_module")
def test_a_program_without_a_role_sees_the_delayed_score(hall, stranger, left, at_desk):
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=None)
    Phone(hall.pairing, LEFT).final(3, 1)
    hidden = stranger.get(f"{hall.match}/").json()
    assert [hidden[name] for name in ("state", "version", "left", "right", "winner", "reported_by")] == [
        "open", 0, None, None, None, None
    ]  # fmt: skip
    for program in (left, at_desk):
        match = program.get(f"{hall.match}/").json()
        assert (match["state"], match["left"], match["right"]) == ("reported", 3, 1)
    pairings = [_first(program, hall) for program in (stranger, at_desk)]
    assert [pairing["left"]["points"] for pairing in pairings] == [None, 3]


def _first(program: Program, hall) -> dict:
    bracket = program.get(f"{hall.here}/brackets/main/").json()
    return next(
        view for part in bracket["rounds"] for view in part["pairings"] if view["id"] == hall.pairing.pk
    )


def test_live_pages_are_updated_when_a_delayed_score_appears(made):
    pairing = holding_back(made, 10)
    Phone(pairing, LEFT).game("left")
    listening = redis.Redis.from_url(settings.REDIS_URL).pubsub(ignore_subscribe_messages=True)
    listening.subscribe(publish.CHANNEL)
    listening.get_message(timeout=30)
    delayed_scores.publish_due_scores()
    time_passes(10)
    delayed_scores.publish_due_scores()
    heard = listening.get_message(timeout=30)
    assert heard is not None
    assert heard["data"].decode() == f"{made.brackets.get().pk} 0"
    time_passes(10)
    delayed_scores.publish_due_scores()
    assert listening.get_message(timeout=0.2) is None
    listening.close()
