"""Printed papers: slips, score cards and the poster, with addresses that a phone can reach."""

import re
import socket

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.fees.references import in_groups, reference_of
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import Organizer, PersonalLink, Role
from tournament.money import fees
from tournament.pages.phones import papers
from tournament.web import addresses

pytestmark = pytest.mark.django_db


def names_on_slips(browser: Browser) -> list[str]:
    return re.findall(r"slip__name\"><bdi>([^<]+)", browser.text)


def test_a_slip_for_each_player_opens_that_players_page_and_earlier_slips_keep_working(browser, owner):
    made = stories.released(owner, 4)
    earlier = links.make_link(stories.playable(made)[0].left, owner)
    browser.open("slips", *at(made)).press("Print slips", all="on")
    slips = re.findall(r"slip__name\"><bdi>([^<]+).*?(/p/[\w-]+/)", browser.text, re.S)
    assert len(slips) == len({path for _, path in slips}) == 4
    name, path = slips[3]
    assert name in Browser().go(path).text
    assert Browser().go(f"/p/{earlier}/").path == "/me/"


def test_slips_of_many_players_are_printed_page_by_page(browser, owner, monkeypatch):
    monkeypatch.setattr(papers, "SLIPS_A_PAGE", 3)
    made = stories.released(owner, 8)
    printed = names_on_slips(browser.open("slips", *at(made)).press("Print slips", all="on"))
    for label in ("Next: 5 more slips", "Next: 2 more slips"):
        printed += names_on_slips(browser.press(label))
    assert len(printed) == len(set(printed)) == 8
    assert not browser.has_button("Next")


def test_slips_are_printed_for_selected_players_and_then_for_the_others(browser, owner):
    made = stories.released(owner, 4)
    first, second, *_ = made.entries.order_by("player__name")
    browser.open("slips", *at(made)).press("Print slips", entry=[first.pk, second.pk])
    assert len(names_on_slips(browser)) == 2
    browser.open("slips", *at(made), query="?show=not-printed").press("Print slips")
    assert not {first.registered_name, second.registered_name} & set(names_on_slips(browser))
    assert PersonalLink.objects.count() == 4
    assert browser.open("slips", *at(made), query="?show=not-printed").says("Nobody is left in this list.")


def test_payment_codes_are_printed_on_request_for_debtors_and_by_the_cash_desk_only(browser, owner):
    made = stories.released(owner, 4)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(25_00)), owner)
    made.event.organizer = Organizer.objects.create(
        name="Club", account_holder="Club Example", iban="DE89370400440532013000"
    )
    made.event.save()
    first, second, *_ = made.entries.order_by("player__name")
    pay(made.event, first.player_id, 25_00, owner)
    chosen = {"entry": [first.pk, second.pk], "with_payment": "yes"}
    assert browser.open("slips", *at(made)).says("Print a payment code too")
    references = [in_groups(reference_of(made.event_id, entry.player_id)) for entry in (first, second)]
    printed = browser.press("Print slips", **chosen).text
    assert [reference in printed for reference in references] == [False, True]
    helper = Browser(stories.helper(made.event, Role.DESK, owner).user).open("slips", *at(made))
    assert not helper.says("Print a payment code too")
    answer = helper.client.post(reverse("slips", args=at(made)), chosen).content.decode()
    assert len(re.findall("slip__name", answer)) == 2
    assert "slip--payment" not in answer


@pytest.mark.parametrize("sent", [{"entry": "nobody"}, {"rest": ",,"}])
def test_no_slip_is_printed_for_players_who_are_not_listed(browser, owner, sent):
    made = stories.released(owner, 4)
    answer = browser.client.post(reverse("slips", args=at(made)), sent, follow=True)
    assert "no longer in this list" in answer.content.decode()
    assert not PersonalLink.objects.exists()


def test_slips_are_printed_only_for_players_without_a_phone(browser, owner):
    made = stories.released(owner, 4)
    entry = stories.playable(made)[0].left
    Client().get(f"/p/{links.make_link(entry, owner)}/")
    browser.open("slips", *at(made), query="?show=no-phone").press("Print slips", all="on")
    assert len(names_on_slips(browser)) == 3
    assert PersonalLink.objects.filter(entry=entry).count() == 1


def test_without_players_there_is_nothing_to_print(browser, club_night):
    assert browser.open("slips", *at(club_night)).says("No players yet")


def test_score_cards_name_players_round_and_length_and_are_printed_for_open_or_selected_matches(
    browser, owner
):
    made = stories.released(owner, 4, lengths=(9, 5))
    first, second = stories.playable(made)
    browser.open("score-cards", *at(made))
    assert browser.text.count('class="score-card"') == 2
    for words in (first.left.player.name, first.right.player.name, "Semifinals", "<b>5</b>", "match 1"):
        assert browser.says(words)
    browser.open("slips", *at(made)).press("Print cards", match=first.pk)
    assert browser.text.count('class="score-card"') == 1
    assert browser.says(first.left.name)
    assert not browser.says(second.left.name)
    stories.play(first, owner)
    assert browser.open("score-cards", *at(made)).text.count('class="score-card"') == 1
    assert browser.open("score-cards", *at(made), query="?round=2").says("No match to be played")


def test_the_poster_links_to_the_choice_of_a_name_at_the_public_address(browser, club_night, settings):
    for address, start in (("", "http://testserver"), ("https://bg.example.org", "https://bg.example.org")):
        settings.PUBLIC_URL = address
        browser.open("poster-print", club_night.event.slug)
        assert browser.says(f"{start}/e/{club_night.event.slug}/join/")


def test_codes_carry_the_network_address_instead_of_localhost_if_the_program_listens_there(
    browser, club_night
):
    reachable = addresses.network_addresses()
    for listens_at, host in (("", reachable[0] if reachable else "localhost"), ("127.0.0.1", "localhost")):
        with socket.create_server((listens_at, 0)) as server:
            port = server.getsockname()[1]
            path = f"/e/{club_night.event.slug}/poster/"
            answer = browser.client.get(path, headers={"host": f"localhost:{port}"})
        assert f"http://{host}:{port}/e/{club_night.event.slug}/join/" in answer.content.decode()
