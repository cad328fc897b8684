"""The overlay of a match: public data only, in the style that its address asks for."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tests.tournament.room.halls import semifinals
from tournament.access.actors import SYSTEM
from tournament.models import Player
from tournament.queries.entries.flags import country_flag
from tournament.queries.matches.overlay import load_overlay
from tournament.room import calls

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def address(pairing, name="overlay", match=None) -> str:
    tournament = pairing.round.bracket.tournament
    return reverse(name, args=[tournament.event.slug, tournament.slug, match or pairing.match_id])


def text(pairing, query="", status=200) -> str:
    answer = Client().get(f"{address(pairing)}{query}")
    assert answer.status_code == status
    return answer.content.decode()


def chances(pairing) -> list[int | None]:
    pairing = stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)
    return [side.percent for side in load_overlay(pairing, pairing.match).sides]


def test_the_overlay_shows_names_flags_score_length_and_crawford(hall):
    Player.objects.filter(pk=hall.pairing.left.player_id).update(country="SVN")
    page = text(hall.pairing)
    assert 'rel="icon"' in page
    assert (country_flag("SVN") in page, "to 3 points" in page, "50%" in page) == (True, True, True)
    first = Client().get(address(hall.pairing, "overlay-fragment"))["ETag"]
    phone = Phone(hall.pairing, Keeper.LEFT)
    phone.game("left", cube=2)
    after = Client().get(address(hall.pairing, "overlay-fragment"), headers={"If-None-Match": first})
    assert after.status_code == 200
    assert "Crawford game" in after.content.decode()
    again = Client().get(address(hall.pairing, "overlay-fragment"), headers={"If-None-Match": after["ETag"]})
    assert again.status_code == 304


def test_the_chance_depends_on_the_score_and_both_ratings(hall):
    assert chances(hall.pairing) == [50, 50]
    Player.objects.filter(pk=hall.pairing.left.player_id).update(rating=1900)
    assert chances(hall.pairing) == [50, 50]
    assert "chance by score<" in text(hall.pairing)
    Player.objects.filter(pk=hall.pairing.right.player_id).update(rating=1500)
    rated = chances(hall.pairing)
    assert rated[0] > 60
    assert sum(rated) == 100
    assert "score and ratings" in text(hall.pairing)
    Phone(hall.pairing, Keeper.LEFT).game("left", cube=2)
    assert chances(hall.pairing)[0] > rated[0]
    stories.play(hall.second_pairing, hall.owner)
    assert chances(hall.second_pairing) == [None, None]


def test_a_score_that_onlookers_do_not_see_is_not_on_the_overlay_either(hall):
    hall.tournament.score_delay = None
    hall.tournament.save()
    Phone(hall.pairing, Keeper.LEFT).game("left", cube=2)
    page = text(hall.pairing)
    assert hall.pairing.left.player.name in page
    assert "%" not in page.split("<main")[1]
    assert '<b class="points"></b>' in page
    assert "Crawford" not in page


def test_a_hidden_or_unknown_match_has_an_empty_overlay_that_reloads(hall):
    made = stories.drawn(stories.director(), 4)
    for missing in (uuid.uuid4(), hall.pairing.match_id):
        for name in ("overlay", "overlay-fragment"):
            answer = Client().get(reverse(name, args=[made.event.slug, made.slug, missing]))
            assert answer.status_code == 404
            assert 'http-equiv="refresh"' in answer.content.decode()
            assert 'rel="icon"' in answer.content.decode()


def test_unknown_overlay_styles_fall_back_to_the_default(hall):
    assert "overlay--top overlay--light overlay--150" in text(hall.pairing, "?side=top&theme=light&scale=1.5")
    assert "%" not in text(hall.pairing, "?chance=no").split("<main")[1]
    for odd in ("?scale=1e9&side=<b>&theme=x", "?scale=-1", "?scale=..", "?scale=٣", "?scale=" + "9" * 900):
        page = text(hall.pairing, odd)
        assert 'class="overlay overlay--bottom overlay--dark overlay--100"' in page
        assert "<b>&" not in page


def test_names_are_words_and_nothing_else(hall):
    Player.objects.filter(pk=hall.pairing.left.player_id).update(
        name="<img src=x onerror=alert(1)>", country="<b>"
    )
    page = text(hall.pairing)
    assert "<img" not in page
    assert "<small><b>" not in page


def test_countries_have_the_flags_that_fonts_know():
    assert country_flag("DEU") == "\U0001f1e9\U0001f1ea"
    assert country_flag("KOS") == "\U0001f1fd\U0001f1f0"
    assert country_flag("SCO").startswith("\U0001f3f4")
    assert [country_flag(code) for code in ("", "NIR", "ZZZ", "<b>", "de")] == [""] * 5


def test_the_overlay_of_a_table_shows_the_match_called_last_to_it():
    made, (first, second), (table, *_) = semifinals()
    place = [made.event.slug, table.pk]
    page, fragment = reverse("table-overlay", args=place), reverse("table-overlay-fragment", args=place)
    empty = Client().get(page)
    assert "No match was called to this table yet." in empty.content.decode()
    etags = {Client().get(fragment)["ETag"]}
    calls.call(first.pk, table.pk, SYSTEM)
    assert first.left.name in Client().get(page).content.decode()
    etags.add(Client().get(fragment)["ETag"])
    stories.post(first, SYSTEM, "left")
    finished = Client().get(fragment)
    etags.add(finished["ETag"])
    assert first.left.name in finished.content.decode(), "stays until the next call"
    calls.take_back(calls.call(second.pk, table.pk, SYSTEM).pk, SYSTEM)
    assert first.left.name in Client().get(page).content.decode()
    calls.call(second.pk, table.pk, SYSTEM)
    assert second.left.name in Client().get(page).content.decode()
    etags.add(Client().get(fragment)["ETag"])
    assert len(etags) == 4
    assert Client().get(reverse("table-overlay", args=[made.event.slug, 0])).status_code == 404
