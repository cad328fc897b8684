"""Printed papers: slips, score cards and the poster, with addresses that a phone can reach."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.models import PersonalLink
from tournament.pages.phones import papers
from tournament.web import addresses

pytestmark = pytest.mark.django_db


def test_a_slip_for_each_player_whose_code_opens_that_players_page(browser, owner):
    made = stories.released(owner, 8)
    browser.open("slips", *at(made)).press("Slips for all 8 players")
    slips = re.findall(r"slip__name\"><bdi>([^<]+).*?(/p/[\w-]+/)", browser.text, re.S)
    assert len(slips) == len({path for _, path in slips}) == 8
    name, path = slips[3]
    assert name in Browser().go(path).text


def test_slips_of_many_players_are_printed_page_by_page(browser, owner, monkeypatch):
    monkeypatch.setattr(papers, "SLIPS_A_PAGE", 3)
    made = stories.released(owner, 8)
    printed = []
    for label, count in (("Slips 1 to 3", 3), ("Slips 4 to 6", 3), ("Slips 7 to 8", 2)):
        browser.open("slips", *at(made)).press(label)
        printed += re.findall(r"slip__name\"><bdi>([^<]+)", browser.text)
        assert browser.text.count('class="slip"') == count
    assert len(printed) == len(set(printed)) == 8


@pytest.mark.parametrize("whom", ["", "nobody", "all-x", "all-0", "all--1", "all-\u0661", "all-99999999"])
def test_a_damaged_choice_of_slips_prints_the_first_page(browser, owner, monkeypatch, whom):
    monkeypatch.setattr(papers, "SLIPS_A_PAGE", 3)
    made = stories.released(owner, 4)
    answer = browser.client.post(reverse("slips", args=at(made)), {"whom": whom})
    assert answer.content.decode().count('class="slip"') == 3


def test_slips_are_printed_only_for_players_without_a_phone(browser, owner):
    made = stories.released(owner, 4)
    given = stories.playable(made)[0].left
    Client().get(f"/p/{links.make_link(given, owner)}/")
    browser.open("slips", *at(made)).press("Only for the 3 without a phone")
    assert browser.text.count('class="slip"') == 3
    assert PersonalLink.objects.filter(entry=given).count() == 1


def test_a_slip_printed_earlier_keeps_working(browser, owner):
    made = stories.released(owner, 2)
    first = links.make_link(stories.playable(made)[0].left, owner)
    browser.open("slips", *at(made)).press("Slips for all")
    assert Browser().go(f"/p/{first}/").path == "/me/"


def test_without_players_there_is_nothing_to_print(browser, club_night):
    assert browser.open("slips", *at(club_night)).says("Nobody to print for yet")


def test_score_cards_name_players_round_and_length(browser, owner):
    made = stories.released(owner, 4, lengths=(9, 5))
    pairing = stories.playable(made)[0]
    browser.open("score-cards", *at(made))
    assert browser.text.count('class="score-card"') == 2
    for words in (pairing.left.player.name, pairing.right.player.name, "Semifinals", "<b>5</b>", "match 1"):
        assert browser.says(words)


def test_score_cards_are_printed_only_for_the_open_matches_of_one_round(browser, owner):
    made = stories.released(owner, 4)
    stories.play(stories.playable(made)[0], owner)
    assert browser.open("score-cards", *at(made)).text.count('class="score-card"') == 1
    assert browser.open("score-cards", *at(made), query="?round=2").says("No match to be played")


def test_the_poster_links_to_the_choice_of_a_name(browser, club_night):
    browser.open("poster-print", club_night.event.slug)
    assert browser.says(f"http://testserver/e/{club_night.event.slug}/join/")


def test_codes_carry_the_public_address(browser, club_night, settings):
    settings.PUBLIC_URL = "https://bg.example.org"
    browser.open("poster-print", club_night.event.slug)
    assert browser.says(f"https://bg.example.org/e/{club_night.event.slug}/join/")


def test_codes_carry_the_network_address_instead_of_localhost(browser, club_night):
    answer = browser.client.get(f"/e/{club_night.event.slug}/poster/", headers={"host": "localhost:8000"})
    reachable = addresses.network_addresses()
    host = reachable[0] if reachable else "localhost"
    assert f"http://{host}:8000/e/{club_night.event.slug}/join/" in answer.content.decode()
