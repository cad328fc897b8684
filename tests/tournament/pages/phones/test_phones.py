"""Ways to connect a phone: the code on a slip, the poster, a director's link; and their revocation."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.accounts import links
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.events import closing
from tournament.models import PersonalLink

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def ask(client: Client, hall, entry):
    return client.post(reverse("poster", args=[hall.tournament.event.slug]), {"entry": entry.pk})


def waits(hall) -> str:
    return reverse("poster-wait", args=[hall.tournament.event.slug])


def test_the_code_on_a_slip_is_exchanged_for_a_cookie(hall):
    answer = Client().get(reverse("personal-link", args=[hall.left]))
    assert (answer.status_code, answer["Location"]) == (302, "/me/")
    cookie = answer.cookies["link"]
    assert cookie.value == hall.left
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 120 * 24 * 60 * 60
    assert not cookie["secure"]


def test_over_https_the_cookie_is_secure(hall):
    answer = Client().get(reverse("personal-link", args=[hall.left]), secure=True)
    assert answer.cookies["link"]["secure"]


def test_an_unknown_code_is_answered_with_instructions():
    answer = Client().get(reverse("personal-link", args=["no-such-token"]))
    assert answer.status_code == 404
    assert "Scan the code on your slip again" in answer.content.decode()
    assert "link" not in answer.cookies


def test_a_revoked_link_opens_nothing_any_more(hall):
    client = phone(hall.left)
    card = Card(client, hall.pairing.match_id)
    assert card.page().status_code == 200
    links.revoke(PersonalLink.objects.get(entry=hall.pairing.left), hall.owner)
    assert client.get("/me/").status_code == 403
    assert card.page().status_code == 403
    answer = client.post(card.at("my-final"), {"left": 3, "right": 0, "step": "save"})
    assert answer.status_code == 403
    assert client.get(reverse("personal-link", args=[hall.left])).status_code == 404


def test_phones_of_an_archived_event_say_that_it_is_over(hall):
    client = phone(hall.left)
    closing.close(hall.tournament.event, hall.owner)
    for address in (
        "/me/",
        reverse("personal-link", args=[hall.left]),
        Card(client, hall.pairing.match_id).at("my-match"),
    ):
        page = client.get(address).content.decode()
        assert "The event is archived" in page
        assert "ask the desk for a new one" not in page
    links.revoke(PersonalLink.objects.get(entry=hall.pairing.left), hall.owner)
    assert "ask the desk for a new one" in client.get("/me/").content.decode()


def test_one_phone_may_carry_the_matches_of_several_players(hall):
    client = phone(hall.left, hall.elsewhere)
    page = client.get("/me/").content.decode()
    assert hall.pairing.right.player.name in page
    assert hall.second_pairing.right.player.name in page
    for match_id in (hall.pairing.match_id, hall.second_pairing.match_id):
        assert Card(client, match_id).page().status_code == 200


def test_scanning_the_same_code_again_changes_nothing(hall):
    assert (
        phone(hall.left, hall.elsewhere, hall.left).cookies["link"].value == f"{hall.left}.{hall.elsewhere}"
    )


def test_a_phone_carries_six_links_and_drops_the_oldest(hall):
    tokens = [links.make_link(hall.pairing.left, hall.owner) for _ in range(7)]
    assert phone(*tokens).cookies["link"].value.split(".") == tokens[:0:-1]


def test_a_phone_names_jackpots_only_if_there_are_some(hall):
    client, address = phone(hall.left), reverse("my-jackpots")
    assert address not in client.get("/me/").content.decode()
    jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(4, 3), hall.owner)
    assert address in client.get("/me/").content.decode()


def test_a_lent_phone_forgets(hall):
    client = phone(hall.left)
    client.post(reverse("forget-phone"))
    assert client.get("/me/").status_code == 403


def test_a_hidden_draw_is_hidden_from_its_players(db):
    director = stories.director()
    made = stories.drawn(director, 2)
    entry = made.entries.first()
    page = phone(links.make_link(entry, director)).get("/me/").content.decode()
    assert "Waiting for the draw" in page
    others = made.entries.exclude(pk=entry.pk)
    assert not any(rival.player.name in page for rival in others)


def test_somebody_chooses_their_name_waits_and_is_let_in(hall):
    client = Client()
    answer = ask(client, hall, hall.pairing.left)
    assert answer["Location"] == waits(hall)
    page = client.get(waits(hall))
    link = PersonalLink.objects.get(approved_at__isnull=True)
    assert page["Refresh"] == "3"
    assert f"<dd>{link.pk}</dd>" in page.content.decode()
    assert client.get("/me/")["Location"] == waits(hall)
    links.approve(link, hall.desk)
    assert client.get(waits(hall))["Location"] == "/me/"
    assert client.get("/me/").status_code == 200


def test_a_rejected_phone_is_informed_and_stops_polling(hall):
    client = Client()
    ask(client, hall, hall.pairing.left)
    links.revoke(PersonalLink.objects.get(approved_at__isnull=True), hall.desk)
    page = client.get(waits(hall))
    assert "did not approve this phone" in page.content.decode()
    assert "Refresh" not in page


def test_a_phone_that_is_in_need_not_ask_again(hall):
    client = phone(hall.left)
    assert ask(client, hall, hall.pairing.left)["Location"] == "/me/"
    assert not PersonalLink.objects.filter(approved_at__isnull=True).exists()


def test_nobody_is_chosen_by_pressing_the_button_only(hall):
    answer = Client().post(reverse("poster", args=[hall.tournament.event.slug]))
    assert answer.status_code == 422
    assert "Choose your name first." in answer.content.decode()


def test_a_name_of_another_event_cannot_be_requested(hall):
    stranger = stories.entered(stories.director(), 1).entries.get()
    assert ask(Client(), hall, stranger).status_code == 409
    assert not PersonalLink.objects.filter(entry=stranger).exists()


def test_however_many_ask_for_a_name_its_player_can_still_ask(hall):
    for number in range(links.MAX_WAITING_LINKS + 3):
        phone = Client(REMOTE_ADDR=f"10.0.0.{number}")
        assert ask(phone, hall, hall.pairing.left).status_code == 302
    waiting = PersonalLink.objects.filter(entry=hall.pairing.left, approved_at=None, revoked_at=None)
    assert waiting.count() == links.MAX_WAITING_LINKS
    assert "Tell the desk this number" in phone.get(waits(hall)).content.decode()


def test_one_address_cannot_push_out_all_others_that_ask_for_a_name(hall):
    statuses = [ask(Client(), hall, hall.pairing.left).status_code for _ in range(links.MAX_WAITING_LINKS)]
    assert statuses.count(302) < links.MAX_WAITING_LINKS / 2
    assert statuses[-1] == 429


def test_looking_at_a_sign_in_link_does_not_use_it_up(db):
    user = stories.director("anna").user
    path = links.make_sign_in_link(user)
    client = Client()
    assert client.get(path).status_code == 200
    assert client.post(path)["Location"] == "/"
    assert "Sign out" in client.get("/").content.decode()
    again = Client().post(path)
    assert again.status_code == 409
    assert "used before or has expired" in again.content.decode()


def test_a_wrong_password_is_refused_with_a_sentence(db):
    stories.director("anna")
    answer = Client().post(reverse("sign-in"), {"username": "anna", "password": "not this one"})
    assert answer.status_code == 200
    assert "Wrong user name or password" in answer.content.decode()


def test_signing_in_leads_to_the_requested_page_but_never_to_another_site(db):
    user = stories.director("anna").user
    user.set_password("a long password")
    user.save()
    for wanted, opened in (("/reach/", "/reach/"), ("https://elsewhere.example/", "/")):
        sent = {"username": "anna", "password": "a long password", "next": wanted}
        assert Client().post(reverse("sign-in"), sent)["Location"] == opened


def test_signing_out_takes_a_button_not_a_link(db):
    client = Client()
    client.force_login(stories.director().user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(reverse("sign-out")).status_code == 405
    assert "Sign out" in client.get("/").content.decode()
    client.post(reverse("sign-out"))
    assert "Sign out" not in client.get("/").content.decode()
