"""An event that shortens surnames shows full names only to its directors."""

from datetime import date

import pytest
from django.test import Client

from tests.tournament import stories
from tournament.drawing import draw_secret
from tournament.drawing.order import DrawRules
from tournament.entries import importing, registration
from tournament.entries.lists import read_list
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Player
from tournament.pages.entries.forms import initial_of
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

SHORT = setup.EventPlan("Friday Night", date(2026, 11, 21), shows_initials=True)
FULL = setup.EventPlan("Friday Night", date(2026, 11, 21))


@pytest.fixture
def owner():
    return stories.director()


@pytest.fixture
def tournament(owner):
    made = stories.tournament(owner)
    setup.change_event(made.event, SHORT, owner)
    return made


def enter(tournament, owner, name: str, **more):
    return registration.enter(tournament.pk, EntryDetails(PlayerDetails(name, **more)), owner)


def names(field: str = "name") -> set[str]:
    return set(Player.objects.values_list(field, flat=True))


def test_a_player_entered_by_hand_or_by_a_list_is_shown_with_an_initial(tournament, owner):
    enter(tournament, owner, "Anna Berg")
    listing = read_list(b"Anna Brandt\nAnna Bloch\nCher\n")
    importing.apply(tournament.pk, listing, importing.preview(tournament, listing).digest, owner)
    assert names() == {"Anna B.", "Anna Br.", "Anna Bl.", "Cher"}
    assert names("full_name") == {"Anna Berg", "Anna Brandt", "Anna Bloch", ""}


def test_importing_again_matches_players_by_registered_names(tournament, owner):
    listing = read_list(b"Anna Brandt\nAnna Bloch\n")
    importing.apply(tournament.pk, listing, importing.preview(tournament, listing).digest, owner)
    assert len(importing.preview(tournament, listing).unchanged) == 2


def test_the_form_of_an_entry_keeps_the_registered_name(tournament, owner):
    entry = enter(tournament, owner, "Anna Berg")
    assert initial_of(entry)["name"] == "Anna Berg"
    registration.change(entry, EntryDetails(PlayerDetails("Anna Berg", club="North")), owner)
    assert names() == {"Anna B."}
    with pytest.raises(Refused, match="already entered"):
        enter(tournament, owner, "Anna Berg", club="North")


def test_public_pages_and_the_api_show_no_full_name(tournament, owner):
    entry = enter(tournament, owner, "Anna Bergström")
    enter(tournament, owner, "Bo Lindqvist")
    base = f"/e/{tournament.event.slug}/{tournament.slug}/"
    entries_api = f"/api/v1/tournaments/{tournament.pk}/entries/"
    for path in (base, f"{base}players/", f"{base}players/{entry.pk}/", f"{base}standings/", entries_api):
        page = Client().get(path).content.decode()
        assert "Bergström" not in page
        assert "Lindqvist" not in page
    signed_in = Client()
    signed_in.force_login(owner.user)
    assert "Anna Bergström" in signed_in.get(f"{base}entries/").content.decode()
    assert "Anna Bergström" in signed_in.get(entries_api).content.decode()


def test_the_setting_shortens_all_names_and_restores_them(tournament, owner):
    enter(tournament, owner, "Anna Berg")
    setup.change_event(tournament.event, FULL, owner)
    assert (names(), names("full_name")) == ({"Anna Berg"}, {""})
    setup.change_event(tournament.event, SHORT, owner)
    assert (names(), names("full_name")) == ({"Anna B."}, {"Anna Berg"})


def test_names_closed_for_a_public_draw_are_kept(tournament, owner):
    enter(tournament, owner, "Anna Berg")
    enter(tournament, owner, "Bo Lind")
    draw_secret.commit_to_secret(tournament.pk, owner)
    draw_secret.close_entries(tournament.pk, DrawRules(), owner)
    with pytest.raises(Refused, match="public draw"):
        setup.change_event(tournament.event, FULL, owner)
    assert names() == {"Anna B.", "Bo L."}


def test_search_engines_are_excluded_unless_the_event_allows_them(tournament, owner):
    page = f"/e/{tournament.event.slug}/"
    assert '<meta name="robots" content="noindex">' in Client().get(page).content.decode()
    setup.change_event(
        tournament.event, setup.EventPlan("Friday", date(2026, 11, 21), is_indexed=True), owner
    )
    assert "noindex" not in Client().get(page).content.decode()
