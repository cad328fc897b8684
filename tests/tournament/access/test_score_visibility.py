"""Every place that shows a running score follows one rule: viewer, delay and result decide what it shows."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.keepers import Keeper
from matches.models import CardRow
from tests.tournament import stories
from tests.tournament.conftest import Hall
from tests.tournament.pages.phone_clients import phone
from tests.tournament.queries.cards import Phone
from tournament.access.score_visibility import score_visibility, visible_match
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

Score = tuple[int, int] | None
EARLIER, NOW, RESULT = (1, 0), (1, 1), (3, 2)
SPECTATORS = ("stranger", "player of another match", "monitor")
INSIDERS = ("left player", "right player", "desk", "owner")


def page_points(name: str) -> Callable[[str], list[str]]:
    return lambda page: re.findall(rf'{name}__points">(\d+)', page)[:2]


def path_points(page: str) -> list[str]:
    scores = re.findall(r'(?:Score</dt><dd>|<b class="num">(?:<a [^>]*>)?)(\d+)–(\d+)<', page)
    return list(scores[0]) if scores else []


PUBLIC_PAGES = {
    "match-page": page_points("side"),
    "match-fragment": page_points("side"),
    "bracket": page_points("seat"),
    "bracket-fragment": page_points("seat"),
}


def client_of(hall: Hall, viewer: str) -> Client:
    tokens = {
        "left player": hall.left,
        "right player": hall.right,
        "player of another match": hall.elsewhere,
    }
    if viewer in tokens:
        return phone(tokens[viewer])
    client = Client()
    if viewer != "stranger":
        client.force_login(getattr(hall, viewer).user)
    return client


def score_of(points: list) -> Score:
    return (int(points[0]), int(points[1])) if len(points) == 2 and None not in points else None


def shown_scores(hall: Hall, viewer: str) -> dict[str, Score]:
    """The score of the match on every page and in every answer of the API that may show it."""
    client, event, tournament = client_of(hall, viewer), hall.tournament.event.slug, hall.tournament.slug
    arguments = {
        "match-page": [event, tournament, hall.pairing.match_id],
        "match-fragment": [event, tournament, hall.pairing.match_id],
    }
    scores = {}
    for name, points in PUBLIC_PAGES.items():
        address = reverse(name, args=arguments.get(name, [event, tournament]))
        scores[name] = score_of(points(client.get(address).content.decode()))
    match = client.get(f"/api/v1{hall.match}/").json()
    scores["match of the API"] = score_of([match["left"], match["right"]])
    bracket = client.get(f"/api/v1{hall.here}/brackets/main/").json()
    pairings = [pairing for round_ in bracket["rounds"] for pairing in round_["pairings"]]
    pairing = next(pairing for pairing in pairings if pairing["id"] == hall.pairing.pk)
    scores["bracket of the API"] = score_of([pairing["left"]["points"], pairing["right"]["points"]])
    return scores


def player_page_score(hall: Hall, viewer: str) -> Score:
    place = [hall.tournament.event.slug, hall.tournament.slug, hall.pairing.left_id]
    return score_of(
        path_points(client_of(hall, viewer).get(reverse("player-page", args=place)).content.decode())
    )


def overlay_score(hall: Hall) -> Score:
    """The overlay of a stream shows everybody what spectators see."""
    place = [hall.tournament.event.slug, hall.tournament.slug, hall.pairing.match_id]
    page = Client().get(reverse("overlay-fragment", args=place)).content.decode()
    return score_of(re.findall(r"points[^>]*>(\d+)<", page)[:2])


def event_page_score(hall: Hall, viewer: str) -> Score:
    """The event's page shows everybody what spectators see."""
    page = client_of(hall, viewer).get(reverse("event-fragment", args=[hall.tournament.event.slug]))
    return score_of(re.findall(r'live-match__side.*?<b class="num">(\d+)</b>', page.content.decode())[:2])


def shown_games(hall: Hall, viewer: str) -> list[str]:
    """The score after each game that the page of the match lists."""
    place = [hall.tournament.event.slug, hall.tournament.slug, hall.pairing.match_id]
    page = client_of(hall, viewer).get(reverse("match-fragment", args=place)).content.decode()
    return re.findall(r'game-list__score">(\d+–\d+)<', page)


def play_two_games(hall: Hall, delay: int | None) -> None:
    """The second game is newer than a delay of ten minutes."""
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=delay)
    left = Phone(hall.pairing, Keeper.LEFT)
    left.game("left")
    CardRow.objects.update(written_at=F("written_at") - timedelta(minutes=11))
    left.game("right")


@pytest.mark.parametrize(("delay", "expected"), [(0, NOW), (10, EARLIER), (None, None)])
def test_spectators_see_running_scores_after_the_delay(hall, delay, expected):
    play_two_games(hall, delay)
    assert overlay_score(hall) == expected
    for viewer in SPECTATORS:
        scores = shown_scores(hall, viewer)
        assert scores == dict.fromkeys(scores, expected), viewer
        assert player_page_score(hall, viewer) == expected, viewer
        assert event_page_score(hall, viewer) == expected, viewer
        assert shown_games(hall, viewer) == {0: ["1–0", "1–1"], 10: ["1–0"], None: []}[delay], viewer


@pytest.mark.parametrize(("delay", "outside"), [(0, NOW), (10, EARLIER), (None, None)])
def test_players_of_the_match_and_the_desk_see_the_running_score(hall, delay, outside):
    play_two_games(hall, delay)
    for viewer in INSIDERS:
        assert event_page_score(hall, viewer) == outside, viewer
        assert shown_games(hall, viewer) == ["1–0", "1–1"], viewer
        scores = shown_scores(hall, viewer)
        if "player" in viewer:  # the bracket page is one answer for everybody who is not at the desk
            on_brackets = {name for name in scores if "bracket" in name}
            assert {scores.pop(name) for name in on_brackets} == {outside}, viewer
        assert scores == dict.fromkeys(scores, NOW), viewer
        if viewer != "right player":
            assert player_page_score(hall, viewer) == NOW, viewer


@pytest.mark.parametrize("delay", [10, None])
def test_everybody_sees_a_result(hall, delay):
    play_two_games(hall, delay)
    stories.play(stories.pairings(hall.tournament).get(pk=hall.pairing.pk), hall.owner)
    for viewer in (*SPECTATORS, *INSIDERS):
        scores = shown_scores(hall, viewer)
        assert scores == dict.fromkeys(scores, RESULT), viewer
        assert player_page_score(hall, viewer) == RESULT, viewer


def test_a_hidden_game_does_not_change_the_number_of_statements(hall):
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=10)
    left, counts = Phone(hall.pairing, Keeper.LEFT), []
    left.game("left")
    CardRow.objects.update(written_at=F("written_at") - timedelta(minutes=11))
    for hidden_game in (False, True):
        if hidden_game:
            left.game("right")
        match = stories.pairings(hall.tournament).get(pk=hall.pairing.pk).match
        tournament = Tournament.objects.get(pk=hall.tournament.pk)
        with CaptureQueriesContext(connection) as statements:
            visible = visible_match(match, score_visibility(tournament))
        counts.append((len(statements), visible))
    assert counts[0] == counts[1]
