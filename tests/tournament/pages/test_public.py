"""Public pages, and what is hidden until the director releases it."""

import uuid
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.keepers import Keeper
from matches.rows import NewRow
from rules.score import Game, Side, Win
from tests.tournament import stories
from tournament.brackets import advancing
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Event, Membership, Pairing
from tournament.results import desk

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

TRICKY = '<script>alert("x")</script> & co'


@pytest.fixture
def anyone() -> Client:
    return Client()


def here(made, name="bracket") -> str:
    return reverse(name, args=[made.event.slug, made.slug])


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def signed_in(actor) -> Client:
    client = Client()
    client.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_first_page_says_how_to_begin(anyone):
    Event.objects.update(visibility="private")
    assert "No event yet" in text(anyone, "/")
    assert "Create your first event" in text(signed_in(stories.director()), "/")


def test_a_director_finds_their_own_events_first(anyone):
    anna, bert = stories.director("anna"), stories.director("bert")
    stories.event(anna, "Annas cup")
    stories.event(bert, "Berts cup")
    page = text(signed_in(anna), "/")
    assert (
        page.index("Your events")
        < page.index("Annas cup")
        < page.index("Everything else")
        < page.index("Berts cup")
    )
    assert "Your events" not in text(anyone, "/")


def test_an_event_and_its_bracket_show_how_far_they_are_and_who_has_won(hall, anyone):
    address = reverse("event", args=[hall.tournament.event.slug])
    assert "under way" in text(anyone, address)
    for pairing in (hall.pairing, hall.second_pairing):
        stories.play(pairing, hall.owner)
    assert "champion" not in text(anyone, here(hall.tournament))
    stories.play(stories.playable(hall.tournament)[0], hall.owner)
    page = text(anyone, address)
    assert "finished" in page
    assert Pairing.objects.order_by("pk").last().winner.player.name in page
    assert f"<strong><bdi>{hall.pairing.left.player.name}</bdi></strong>" in text(
        anyone, here(hall.tournament)
    )


def test_a_hidden_draw_shows_no_pairing_to_strangers_and_all_to_the_desk(anyone):
    director = stories.director()
    made = stories.drawn(director, 4)
    names = [entry.player.name for entry in made.entries.all()]
    for page in (text(anyone, here(made)), text(anyone, here(made, "bracket-fragment"))):
        assert "The draw is not released yet" in page
        assert not any(name in page for name in names)
    assert "No standings yet" in text(anyone, here(made, "standings"))
    assert anyone.get(here(made, "bracket-print")).status_code == 404
    desk_sees = text(signed_in(director), here(made))
    assert "Only the desk sees this draw" in desk_sees
    assert all(name in desk_sees for name in names)


def test_a_bracket_without_any_draw_says_so_to_the_director_too():
    director = stories.director()
    made = stories.entered(director, 3)
    assert "The draw is not released yet" in text(signed_in(director), here(made))
    stories.draws.make(made.pk, draws.DrawPlan(), director)
    draws.undo(made.pk, director)
    assert "The draw is not released yet" in text(signed_in(director), here(made))


def test_a_bracket_is_a_list_of_rounds_of_pairings_of_players(hall, anyone):
    page = text(anyone, here(hall.tournament))
    assert "Semifinals" in page
    assert page.count('class="round ') == 2
    assert page.count('class="pairing ') == 3
    assert page.count('class="seat ') == 6
    assert "Winner of match 1" in page


def test_a_running_score_is_in_the_bracket(hall, anyone):
    game = NewRow(uuid.uuid4(), hall.pairing.match_id, Game(Side.RIGHT, Win.GAMMON))
    desk.enter(hall.pairing, Keeper.RIGHT, game, hall.owner)
    page = text(anyone, here(hall.tournament))
    assert "pairing--playing" in page
    assert '<span class="seat__points">2</span>' in page


def test_names_are_letters_and_never_markup(anyone):
    director = stories.director()
    made = stories.entered(director, 1)
    entry = registration.enter(made.pk, EntryDetails(PlayerDetails(TRICKY, club=TRICKY)), director)
    draws.make(made.pk, draws.DrawPlan(), director)
    draws.release(made.pk, director)
    event = reverse("poster", args=[made.event.slug])
    player = reverse("player-page", args=[made.event.slug, made.slug, entry.pk])
    pages = [
        here(made, name)
        for name in ("bracket", "standings", "entry-list", "bracket-print", "bracket-fragment")
    ]
    for address in (*pages, event, player):
        page = text(anyone, address)
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


def test_the_fragment_is_asked_for_again_only_after_a_change(hall, anyone):
    fragment = here(hall.tournament, "bracket-fragment")
    first = anyone.get(fragment)
    stamp = first["ETag"].replace('"', "&quot;")
    assert f'data-etag="{stamp}"' in text(anyone, here(hall.tournament))
    again = anyone.get(fragment, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    game = NewRow(uuid.uuid4(), hall.pairing.match_id, Game(Side.LEFT))
    desk.enter(hall.pairing, Keeper.LEFT, game, hall.owner)
    scored = anyone.get(fragment, headers={"If-None-Match": first["ETag"]})
    assert scored.status_code == 200
    stories.post(hall.second_pairing, hall.owner)
    posted = anyone.get(fragment, headers={"If-None-Match": scored["ETag"]})
    assert posted.status_code == 200
    advancing.advance_waiting()
    assert anyone.get(fragment, headers={"If-None-Match": posted["ETag"]}).status_code == 200


def test_a_fragment_cached_before_the_release_is_not_reused(anyone):
    director = stories.director()
    made = stories.drawn(director, 2)
    hidden = anyone.get(here(made, "bracket-fragment"))
    draws.release(made.pk, director)
    released = anyone.get(here(made, "bracket-fragment"), headers={"If-None-Match": hidden["ETag"]})
    assert released.status_code == 200
    assert 'class="pairing' in released.content.decode()


def test_shared_places_are_shown_in_the_standings(hall, anyone):
    for pairing in (hall.pairing, hall.second_pairing):
        stories.play(pairing, hall.owner)
    page = text(anyone, here(hall.tournament, "standings"))
    assert page.count('<td class="num">3–4</td>') == 2
    assert page.count('<td class="num">1–2</td>') == 2
    assert page.count("still in") >= 2


def test_a_withdrawn_entry_stays_on_the_list_and_is_marked(hall, anyone):
    assert "withdrawn" not in text(anyone, here(hall.tournament, "entry-list"))
    registration.withdraw(hall.pairing.left, hall.owner)
    assert "withdrawn" in text(anyone, here(hall.tournament, "entry-list"))


def test_a_players_page_shows_the_path_through_the_draw(hall, anyone):
    address = reverse(
        "player-page", args=[hall.tournament.event.slug, hall.tournament.slug, hall.pairing.left_id]
    )
    before = text(anyone, address)
    assert hall.pairing.right.player.name in before
    assert "<dt>Places still open</dt><dd>1–4</dd>" in before
    stories.play(hall.pairing, hall.owner, "right", (3, 1))
    page = text(anyone, address)
    assert "Out: Semifinals" in page
    assert "1–3" in page
    assert "<dt>Place</dt><dd>3–4</dd>" in page


def test_a_player_of_another_tournament_is_not_found(hall, anyone):
    elsewhere = stories.entered(stories.director(), 1).entries.get()
    address = reverse("player-page", args=[hall.tournament.event.slug, hall.tournament.slug, elsewhere.pk])
    assert anyone.get(address).status_code == 404


def test_a_missing_page_is_answered_by_the_sites_own_error_page(anyone):
    for address in ("/e/nothing/", "/e/nothing/open/", "/nothing-at-all/"):
        answer = anyone.get(address)
        assert answer.status_code == 404
        assert "There is nothing at this address" in answer.content.decode()


def test_a_long_list_of_events_is_limited_and_can_be_searched(hall, django_assert_max_num_queries):
    Event.objects.bulk_create(
        Event(
            name=f"Évening {number}",
            slug=f"e-{number}",
            starts_on=date(2025, 1, 1),
            created_at=timezone.now(),
        )
        for number in range(1000)
    )
    client, runs = Client(), Client()
    runs.force_login(hall.owner.user)
    with django_assert_max_num_queries(3):
        first = client.get("/").content.decode()
    assert first.count("/e/") == 80
    assert "1–80 / 1001" in first
    assert hall.tournament.event.name in first
    assert "Find an event" in first
    text = client.get("/", {"find": "evening 777"}).content.decode()
    assert [f"/e/e-{number}/" in text for number in (777, 776)] == [True, False]
    assert "Show all events" in text
    assert "No event of that name." in client.get("/", {"find": "morning"}).content.decode()
    last = runs.get("/", {"page": 13}).content.decode()
    assert "Your events" in last
    assert last.count("/e/e-") == 40


def test_a_long_list_of_own_events_is_paged_and_can_be_searched(hall):
    owner = hall.owner.user
    made = Event.objects.bulk_create(
        Event(
            name=f"Club evening {n}", slug=f"own-{n}", starts_on=date(2025, 1, 1), created_at=timezone.now()
        )
        for n in range(200)
    )
    Membership.objects.bulk_create(
        Membership(event=own_event, user=owner, role="owner") for own_event in made
    )
    client = Client()
    client.force_login(owner)
    first = client.get("/").content.decode()
    assert first.count("/overview/") == 80
    assert "1–80 / 201" in first
    last = client.get("/", {"own": 3}).content.decode()
    assert last.count("/overview/") == 41
    assert "Find an event" in last
    text = client.get("/", {"find": "evening 177"}).content.decode()
    assert [f"/e/own-{number}/overview/" in text for number in (177, 176)] == [True, False]
    assert ">No event of that name.<" not in text
    assert ">No event of that name.<" in client.get("/", {"find": "morning"}).content.decode()


def test_a_form_without_a_csrf_token_is_answered_with_instructions(hall):
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(reverse("poster", args=[hall.tournament.event.slug]))
    assert answer.status_code == 403
    assert "Please send that once more" in answer.content.decode()


def test_a_server_error_is_answered_with_instructions(monkeypatch, hall):
    def breaks(*_):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("tournament.pages.events.events.event_lines", breaks)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "What was saved before is safe" in answer.content.decode()
