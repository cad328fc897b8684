"""Screens in the hall: a link opens only its own pages, and they show public data only."""

import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import CardRow
from matches.rows import FinalScore, NewRow
from rules.score import Win
from tests.tournament import stories
from tests.tournament.access.screens import SCREEN_FORM
from tests.tournament.conftest import API, Hall
from tests.tournament.images import image_file
from tests.tournament.queries.cards import Phone
from tournament.accounts import links
from tournament.drawing import draws, jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import (
    Call,
    DisplayLink,
    JournalLine,
    Player,
    Room,
    Slide,
    Table,
    Tournament,
)
from tournament.queries.screens.deck import load_deck
from tournament.queries.screens.room import NEW_CALL
from tournament.results import desk, questions
from tournament.runtime.errors import NotFound, Refused
from tournament.screens import display_links, slides
from tournament.screens.plan import Plan, SlideKind

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
TRICKY = "<script>alert('x')</script> & co"


def screen_for(hall: Hall, plan: Plan | None = None) -> str:
    """The address of a new screen."""
    _link, token = display_links.create_display(hall.tournament.event, "Wall", plan or Plan(), hall.owner)
    return f"/d/{token}/"


def text(address: str, status: int = 200, **more) -> str:
    answer = Client().get(address, **more)
    assert answer.status_code == status
    assert not answer.cookies
    return answer.content.decode()


def directing(hall: Hall) -> Client:
    client = Client()
    client.force_login(hall.director.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def called(hall: Hall, table: str = "7", minutes: int = 0) -> Call:
    room, _ = Room.objects.get_or_create(event=hall.tournament.event)
    made = Table.objects.create(room=room, name=table, position=1)
    at = timezone.now() - timedelta(minutes=minutes)
    return Call.objects.create(
        room=room, pairing=hall.pairing, match=hall.pairing.match, table=made, called_at=at
    )


def test_a_screen_shows_calls_tables_brackets_and_slides_automatically(hall):
    called(hall)
    slides.add_slide(hall.tournament.event, "Supper at seven", image_file("PNG"), hall.owner)
    address = screen_for(hall)
    page = text(address)
    for words in ("Table 7", hall.pairing.left.player.name, "Semifinals", "Supper at seven", "Friday night"):
        assert words in page
    picture = reverse("screen-picture", args=[address.split("/")[2], Slide.objects.get().pk])
    answer = Client().get(picture)
    assert answer["Content-Type"] == "image/jpeg"
    assert "sandbox" in answer["Content-Security-Policy"]


def test_without_scripts_each_slide_links_to_the_next_and_the_last_to_the_first(hall):
    called(hall)
    address = screen_for(hall)
    pages, number = [], "0"
    for _ in range(3):
        page = text(f"{address}?n={number}")
        pages.append(page.split(' is-shown" data-slide="')[1].split('"')[0])
        number = page.split("url=?n=")[1].split('"')[0]
    assert pages[:2] == ["calls-1", "tables-1"]
    assert pages[2].endswith("-end")
    assert number == "0"
    for odd in ("-1", "99999999", "²", "<b>"):
        assert "is-shown" in text(f"{address}?n={odd}")


def test_slides_are_fetched_again_only_when_something_changed(hall):
    address = f"{screen_for(hall)}deck/"
    first = Client().get(address)["ETag"]
    assert Client().get(address, headers={"If-None-Match": first}).status_code == 304
    etags = [first]
    for change in (
        lambda: called(hall) and Room.objects.update(version=1),
        lambda: stories.begin(hall.pairing),
        lambda: stories.play(hall.second_pairing, hall.owner),
        lambda: slides.add_slide(hall.tournament.event, "Tea", b"", hall.owner),
    ):
        change()
        etags.append(Client().get(address, headers={"If-None-Match": etags[-1]})["ETag"])
    assert len(set(etags)) == len(etags)
    assert Client().get(address, headers={"If-None-Match": etags[-1]}).status_code == 304


def test_the_tables_show_delayed_scores_late_and_hidden_scores_never(hall):
    made, _ = called(hall), Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=10)
    phone = Phone(hall.pairing, Keeper.LEFT)
    phone.game("left", win=Win.GAMMON)
    second_tournament = stories.tournament(stories.director())
    Tournament.objects.filter(pk=second_tournament.pk).update(event=hall.tournament.event, slug="other")
    plan = Plan({SlideKind.TABLES: 10}, tournaments=(second_tournament.pk,))
    address = f"{screen_for(hall, plan)}deck/"
    before = Client().get(address)
    assert made.pairing.left.player.name in before.content.decode()
    assert "2–0" not in before.content.decode()
    assert str(hall.pairing.round.bracket_id) in before.content.decode(), (
        "it listens to whoever plays at a table"
    )
    CardRow.objects.update(written_at=F("written_at") - timedelta(minutes=11))
    phone.game("right")
    after = Client().get(address, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "2–0" in after.content.decode()
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=None)
    hidden = Client().get(address, headers={"If-None-Match": after["ETag"]})
    assert "2–0" not in hidden.content.decode()


def test_a_screen_shows_nothing_private(hall):
    """What the desk knows and the hall does not: notes, cards, payments, links, and draws that are not released."""
    event = hall.tournament.event
    hidden = stories.drawn(stories.director(), 4)
    Player.objects.filter(entries__tournament=hidden).update(name="Hidden Player")
    hidden.event = event
    hidden.slug = hidden.name = "not-out-yet"
    hidden.save()
    questions.open_for_dispute(
        hall.tournament, hall.second_pairing.match, Keeper.LEFT, "he moved twice", hall.desk
    )
    final = NewRow(uuid.uuid4(), hall.pairing.match_id, FinalScore(1, 3))
    desk.enter(hall.pairing, Keeper.RIGHT, final, hall.desk)
    called(hall)
    waiting = links.request_link(hall.pairing.left)
    address = screen_for(hall)
    token = address.split("/")[2]
    for page in (text(address), text(f"{address}deck/")):
        for secret in (hall.left, hall.right, waiting, "he moved twice", "is_paid", "/p/", "/me/", "/desk/", "owner",
                       "not-out-yet", "Hidden Player"):  # fmt: skip
            assert secret not in page, secret
    assert token not in text(f"{address}deck/")
    assert token not in JournalLine.objects.filter(verb="make screen").get().after.values()
    assert token not in DisplayLink.objects.get().digest


def test_the_token_of_a_screen_opens_nothing_else(hall):
    token = screen_for(hall).split("/")[2]
    assert Client().get(f"/p/{token}/").status_code == 404
    as_phone, as_program = Client(), Client(headers={"Authorization": f"Bearer {token}"})
    as_phone.cookies["link"] = token
    assert as_phone.get("/me/").status_code == 403
    assert as_phone.get(f"/me/{hall.pairing.match_id}/").status_code == 403
    assert as_program.get(f"{API}/me/").status_code == 401
    elsewhere = stories.event(stories.director(), "Another weekend")
    slide = slides.add_slide(elsewhere, "", image_file("PNG"), hall.owner)
    assert Client().get(f"/d/{token}/picture/{slide.pk}/").status_code == 404
    for verb in ("post", "put", "delete"):
        assert getattr(Client(), verb)(f"/d/{token}/").status_code == 405


def test_a_revoked_screen_says_so_and_reloads(hall):
    address = screen_for(hall)
    link = DisplayLink.objects.get()
    client = directing(hall)
    for _ in range(2):
        assert client.post(reverse("screen-revoke", args=["friday-night", link.pk])).status_code == 302
    assert JournalLine.objects.filter(verb="revoke screen").count() == 1
    for gone in (address, f"{address}deck/", "/d/nobody-gave-this/", f"/d/{'x' * 500}/"):
        page = text(gone, 404)
        assert "This screen link does not work" in page
        assert 'http-equiv="refresh"' in page
        assert hall.pairing.left.player.name not in page


def test_names_and_slides_are_escaped(hall):
    card = EntryDetails(PlayerDetails(TRICKY))
    registration.change(hall.pairing.left, card, hall.owner)
    called(hall, "<b>7</b>")
    slides.add_slide(hall.tournament.event, TRICKY, b"", hall.owner)
    page = text(screen_for(hall))
    assert "alert(" in page
    assert "<script>alert" not in page
    assert "<b>7</b>" not in page


def test_a_director_makes_a_screen_link_shown_once_and_changes_its_content(hall):
    client, address = directing(hall), reverse("screens", args=["friday-night"])
    made = client.post(address, SCREEN_FORM).content.decode()
    link = DisplayLink.objects.get()
    path = made.split("/d/")[1].split("/")[0]
    assert "data:image/svg" in made
    assert text(f"/d/{path}/")
    assert path not in client.get(address).content.decode()
    assert Plan.from_json(link.plan).seconds == {SlideKind.CALLS: 10}
    edited = {"label": "Foyer", "shows_brackets": "on", "seconds_brackets": 20, "theme": "light",
              "tournaments": [str(hall.tournament.pk)]}  # fmt: skip
    client.post(reverse("screen-edit", args=["friday-night", link.pk]), edited)
    link.refresh_from_db()
    assert (link.label, Plan.from_json(link.plan).tournaments) == ("Foyer", (hall.tournament.pk,))
    assert 'data-theme="light"' in text(f"/d/{path}/")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"label": "", "seconds_calls": 1}, ("Give the screen a name", "4 to 120 seconds")),
        ({"shows_calls": ""}, ("at least one kind",)),
        ({"tournaments": [str(uuid.uuid4())]}, ("Select a valid choice",)),
    ],
)
def test_an_impossible_screen_is_refused_with_a_sentence(hall, fields, words):
    answer = directing(hall).post(reverse("screens", args=["friday-night"]), {**SCREEN_FORM, **fields})
    assert answer.status_code == 422
    assert [sentence for sentence in words if sentence not in answer.content.decode()] == []
    assert not DisplayLink.objects.exists()


def test_slides_are_added_moved_and_deleted(hall):
    client, event = directing(hall), hall.tournament.event
    add = reverse("slide-add", args=["friday-night"])
    for fields in ({"text": "Tea"}, {"text": "", "picture": SimpleUploadedFile("a.png", image_file("PNG"))}):
        assert client.post(add, fields).status_code == 302
    for wrong in ({"text": " "}, {"picture": SimpleUploadedFile("a.png", b"<svg/>")}, {"text": "x" * 201}):
        assert client.post(add, wrong).status_code == 422
    first, second = slides.slides_of_event(event)
    client.post(reverse("slide-action", args=["friday-night", second.pk, "up"]))
    assert [slide.pk for slide in slides.slides_of_event(event)] == [second.pk, first.pk]
    for _ in range(2):
        client.post(reverse("slide-action", args=["friday-night", second.pk, "remove"]))
    assert [slide.pk for slide in slides.slides_of_event(event)] == [first.pk]
    assert client.post(reverse("slide-action", args=["friday-night", second.pk, "up"])).status_code == 404


def test_there_is_an_end_to_screens_and_slides(hall):
    event = hall.tournament.event
    for _ in range(display_links.MOST_SCREENS):
        screen_for(hall)
    with pytest.raises(Refused, match="already has 20 screens"):
        screen_for(hall)
    for number in range(slides.MOST_SLIDES):
        slides.add_slide(event, f"Slide {number}", b"", hall.owner)
    with pytest.raises(Refused, match="already 20 slides"):
        slides.add_slide(event, "One more", b"", hall.owner)
    with pytest.raises(NotFound):
        display_links.display_of_event(stories.event(hall.owner, "Other"), DisplayLink.objects.first().pk)


def test_a_released_draw_appears_on_a_waiting_screen():
    director = stories.director()
    made = stories.drawn(director, 4)
    _link, token = display_links.create_display(made.event, "Wall", Plan(), director)
    before = Client().get(f"/d/{token}/deck/")
    assert "Nothing to show yet" in before.content.decode()
    draws.release(made.pk, director)
    after = Client().get(f"/d/{token}/deck/", headers={"If-None-Match": before["ETag"]})
    assert made.entries.first().player.name in after.content.decode()
    assert str(made.brackets.get().pk) in after.content.decode().split("data-listens=")[1]


def test_a_finished_tournament_keeps_its_finals_while_others_are_in_play(hall):
    director = stories.director("second-director")
    event = hall.tournament.event
    finished = stories.released(director, 2)
    Tournament.objects.filter(pk=finished.pk).update(event=event, name="Side event", slug="side-event")
    while ready := stories.playable(finished):
        stories.play(ready[0], director)
    kinds = kinds_of(event, "Side event")
    assert kinds.count("end") == 1
    assert "round" not in kinds
    assert kinds.count("standings") <= 1
    later = stories.released(stories.director("third-director"), 2)
    Tournament.objects.filter(pk=later.pk).update(event=event, name="Late event", slug="late-event")
    while ready := stories.playable(later):
        stories.play(ready[0], director)
    assert kinds_of(event, "Side event") == []
    assert kinds_of(event, "Late event").count("end") == 1
    assert "round" in kinds_of(event, hall.tournament.name) or "end" in kinds_of(event, hall.tournament.name)


def test_a_finished_jackpot_is_left_out(hall):
    opened = jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(size=4, length=3), hall.owner)
    for entry in hall.tournament.entries.all()[:4]:
        opened = jackpots.join(opened.pk, entry, hall.owner)
    link, _ = display_links.create_display(hall.tournament.event, "Wall", Plan(), hall.owner)
    key = f"jackpot {opened.number}"
    assert key in [slide.about for slide in load_deck(link).slides]
    while ready := [row for row in stories.playable(hall.tournament) if row.round.bracket.key == key]:
        stories.play(ready[0], hall.owner)
    assert key not in [slide.about for slide in load_deck(link).slides if slide.kind != "standings"]


def test_the_director_reads_that_slides_are_shortened(hall):
    client, address = directing(hall), reverse("screens", args=[hall.tournament.event.slug])
    display_links.create_display(hall.tournament.event, "Wall", Plan(), hall.owner)
    assert "so some are shown for only" not in client.get(address).content.decode()
    for number in range(20):
        slides.add_slide(hall.tournament.event, f"Sponsor {number}", b"", hall.owner)
    assert "so some are shown for only 5 s." in client.get(address).content.decode()


def kinds_of(event, title: str) -> list[str]:
    link, _ = display_links.create_display(event, "Wall", Plan(), stories.director())
    return [slide.kind for slide in load_deck(link).slides if slide.title == title]


def test_slides_of_free_tables_only_are_left_out(hall):
    call = called(hall, table="1")
    free = (Table(room=call.room, name=str(number), position=number) for number in range(2, 40))
    Table.objects.bulk_create(free)
    link, _ = display_links.create_display(hall.tournament.event, "Wall", Plan(), hall.owner)
    assert [slide.kind for slide in load_deck(link).slides].count("tables") == 1
    Call.objects.all().delete()
    assert "tables" not in [slide.kind for slide in load_deck(link).slides]
    only_tables = Plan({SlideKind.TABLES: 12})
    link, _ = display_links.create_display(hall.tournament.event, "Door", only_tables, hall.owner)
    assert [slide.kind for slide in load_deck(link).slides] == ["tables"]


def test_only_new_calls_are_on_the_slide_of_calls(hall):
    called(hall, minutes=8)
    address = f"{screen_for(hall)}deck/"
    first = Client().get(address)
    assert "Please go to your table" in first.content.decode()
    Call.objects.update(called_at=timezone.now() - NEW_CALL)
    later = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert later.status_code == 200
    assert "Please go to your table" not in later.content.decode()
    assert "Table 7" not in later.content.decode()
    assert hall.pairing.left.name in later.content.decode()


def test_a_screen_opens_by_its_short_code_until_it_gets_a_new_one(hall):
    link, token = display_links.create_display(hall.tournament.event, "Wall", Plan(), hall.owner)
    code = link.code
    assert len(code) == 5
    assert set(code) <= set(display_links.CODE_LETTERS)
    assert text(f"/s/{code.lower()}/") == text(f"/d/{token}/").replace(f"/d/{token}/", f"/s/{code.lower()}/")
    assert Client().get(f"/s/{code}").status_code == 301
    assert (
        f"/s/{code}"
        in directing(hall).get(reverse("screens", args=[hall.tournament.event.slug])).content.decode()
    )
    display_links.renew_display(link, hall.owner)
    assert link.code != code
    assert "does not work" in text(f"/s/{code}/", 404)
