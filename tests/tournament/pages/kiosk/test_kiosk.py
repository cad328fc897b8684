"""The kiosk at the door: players check themselves in, see their next match, and can do nothing else."""

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.conftest import Hall
from tests.tournament.pages.browser import Browser
from tests.tournament.room.halls import with_tables
from tournament.access.actors import SYSTEM
from tournament.entries import kiosk, registration
from tournament.events import closing
from tournament.models import Entry, JournalLine, KioskLink, Player, Tournament
from tournament.pages.kiosk.kiosk import MOST_NAMES
from tournament.room import calls

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def start(hall: Hall) -> str:
    """The address of the kiosk."""
    return reverse("kiosk", args=[kiosk.turn_on(hall.tournament.event, hall.owner)])


def entry_of(hall: Hall) -> Entry:
    return Entry.objects.get(pk=hall.pairing.left_id)


def test_a_player_checks_in_by_one_tap_sees_the_next_match_and_undoes_it(hall, start, directing):
    tablet = Browser()
    tablet.go(start)
    tablet.press(hall.pairing.left.name)
    assert tablet.says("You are checked in.")
    assert tablet.says(f"You play against <bdi>{hall.pairing.right.name}</bdi>")
    assert entry_of(hall).checked_in_at is not None
    assert directing.open("event-journal", hall.tournament.event.slug).says("at the kiosk")
    tablet.press("Not me: undo")
    assert tablet.says("You are not checked in.")
    assert entry_of(hall).checked_in_at is None
    verbs = list(JournalLine.objects.order_by("-pk").values_list("verb", flat=True)[:2])
    assert verbs == ["undo check in at kiosk", "check in at kiosk"]


def test_a_called_player_sees_the_table(hall, start):
    table = with_tables(hall.tournament, "5")[0]
    calls.call(hall.pairing.pk, table.pk, SYSTEM)
    tablet = Browser()
    tablet.go(start)
    tablet.press(hall.pairing.left.name)
    assert tablet.says(f"You play on table 5 against <bdi>{hall.pairing.right.name}</bdi>")


def test_before_the_release_the_kiosk_tells_nothing_of_the_draw(owner):
    made = stories.drawn(owner, 4)
    entry = made.entries.select_related("player").first()
    page = Client().post(
        f"{reverse('kiosk', args=[kiosk.turn_on(made.event, owner)])}check-in/",
        {"entry": entry.pk},
        follow=True,
    )
    text = page.content.decode()
    assert "Not drawn yet" in text
    others = made.entries.exclude(pk=entry.pk).values_list("player__name", flat=True)
    assert [name for name in others if name in text] == []


def test_names_are_found_as_typed_without_accents_and_only_a_small_event_is_listed_whole(owner):
    made = stories.entered(owner, MOST_NAMES + 1)
    start = reverse("kiosk", args=[kiosk.turn_on(made.event, owner)])
    page = Client().get(start).content.decode()
    assert "Type the first letters of your name." in page
    assert "Ana 1" not in page
    results = Client().get(f"{start}?find=2+SULE").content.decode()
    assert "Şule 24" in results
    assert "Şule 14" not in results
    assert "Nobody of that name" in Client().get(f"{start}?find=xyz").content.decode()
    registration.withdraw(made.entries.get(player__name="Ana 10"), owner)
    assert "Ana 20" in Client().get(start).content.decode()


def test_payments_contacts_and_check_ins_of_others_are_not_shown(hall, start):
    Entry.objects.update(is_paid=True, checked_in_at=timezone.now() - timedelta(hours=1))
    Player.objects.update(club="Secret club")
    tablet = Browser()
    tablet.go(start)
    for word in ("paid", "Secret club", "checked in"):
        assert not tablet.says(word)
    tablet.press(hall.pairing.left.name)
    assert not tablet.says("Secret club")
    assert not tablet.has_button("Not me: undo")


def test_withdrawn_players_and_tournaments_that_are_over_are_not_listed(hall, start):
    registration.withdraw(hall.pairing.left, hall.owner)
    page = Client().get(start).content.decode()
    assert hall.pairing.left.name not in page
    assert hall.pairing.right.name in page
    gone = Client().post(f"{start}check-in/", {"entry": hall.pairing.left_id})
    assert (gone.status_code, "no longer on the list" in gone.content.decode()) == (409, True)
    stories.play_out(hall.tournament, hall.owner, random.Random(1))
    assert hall.pairing.right.name not in Client().get(start).content.decode()


def test_a_tournament_of_a_later_day_is_not_listed(hall, start):
    Tournament.objects.update(starts_at=timezone.now() + timedelta(days=2))
    assert hall.pairing.right.name not in Client().get(start).content.decode()


def test_an_old_check_in_is_not_undone_at_the_kiosk(hall, start):
    Entry.objects.update(checked_in_at=timezone.now() - kiosk.UNDO_TIME)
    answer = Client().post(f"{start}{hall.pairing.left_id}/undo/")
    assert (answer.status_code, "Tell the desk" in answer.content.decode()) == (409, True)
    assert entry_of(hall).checked_in_at is not None


def test_a_signed_in_browser_gives_up_its_rights_before_it_becomes_a_kiosk(hall, start):
    tablet = Client()
    tablet.force_login(hall.director.user, backend="django.contrib.auth.backends.ModelBackend")
    page = tablet.get(start).content.decode()
    assert "This browser is signed in as" in page
    assert hall.pairing.left.name not in page
    assert hall.pairing.left.name in tablet.post(f"{start}lock/", follow=True).content.decode()
    desk = reverse("desk", args=[hall.tournament.event.slug, hall.tournament.slug])
    assert tablet.get(desk).status_code == 302
    assert tablet.get(reverse("my-matches")).status_code == 403


def test_the_director_turns_the_kiosk_on_and_off(hall, directing):
    directing.open("kiosk-setup", hall.tournament.event.slug).press("Turn the kiosk on")
    first = directing.text.split('id="address">')[1].split("<")[0].split("/k/")[1]
    assert Client().get(f"/k/{first}").status_code == 200
    assert first.strip("/") not in {link.digest for link in KioskLink.objects.all()}
    directing.open("kiosk-setup", hall.tournament.event.slug).press("New link")
    second = directing.text.split('id="address">')[1].split("<")[0].split("/k/")[1]
    assert Client().get(f"/k/{first}").status_code == 404
    assert Client().get(f"/k/{second}").status_code == 200
    closing.close(hall.tournament.event, hall.owner)
    assert Client().get(f"/k/{second}").status_code == 404
    closing.reopen(hall.tournament.event, hall.owner)
    directing.open("kiosk-setup", hall.tournament.event.slug).press("Turn off")
    assert Client().get(f"/k/{second}").status_code == 404
