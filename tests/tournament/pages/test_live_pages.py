"""Live pages: the ids that they listen to and the fragments that they load."""

import re
import uuid

import pytest
from django.urls import reverse
from django.utils.html import escape

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at, match
from tournament import corrections
from tournament.corrections import Change
from tournament.draw.formats import Format, Kind
from tournament.live.channels import desk_channels, event_channel, private_channel
from tournament.models import Bracket, ResultKind, Tournament
from tournament.room import tables
from tournament.web.conditional import LIVE_IDS

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(owner) -> Tournament:
    return stories.released(owner, 4)


def bracket_ids(made: Tournament) -> set[str]:
    return {str(pk) for pk in Bracket.objects.filter(tournament=made).values_list("pk", flat=True)}


def listened_to(page: Browser) -> set[str]:
    attribute = re.search(r'data-(?:listens|brackets)="([^"]*)"', page.text)
    assert attribute, "the page listens to nothing"
    return {channel for channel in attribute[1].split(",") if channel}


def test_public_pages_follow_the_brackets(made, stranger):
    player = [*at(made), made.entries.first().pk]
    addresses = [("event", [made.event.slug]), ("player-page", player)]
    addresses += [(name, at(made)) for name in ("standings", "results-page")]
    for name, arguments in addresses:
        page = stranger.open(name, *arguments)
        event = {str(made.event_id)} if name == "event" else set()
        assert listened_to(page) == bracket_ids(made) | event, name
        assert 'src="/static/live' in page.text, name


def test_the_page_of_a_bracket_follows_the_others_whose_winners_it_names(owner, stranger):
    made = stories.released(owner, 4, format=Format(consolation="progressive"))
    page = stranger.open("bracket", *at(made))
    assert len(listened_to(page)) == 1
    while waiting := stories.playable(made):
        stories.play(waiting[0], owner)
    page = stranger.open("bracket", *at(made))
    assert listened_to(page) == bracket_ids(made)
    fragment = reverse("bracket-fragment", args=at(made))
    before = stranger.client.get(fragment)
    assert f'data-etag="{escape(before["ETag"])}"' in page.text
    assert set(before[LIVE_IDS].split(",")) == bracket_ids(made)
    final = stories.pairings(made).filter(round__bracket__key="consolation").last()
    winner, score = ("right", (0, 1)) if final.winner_id == final.left_id else ("left", (1, 0))
    left, right = (points * final.round.length for points in score)
    change = Change(ResultKind.PLAYED, getattr(final, f"{winner}_id"), left, right)
    preview = corrections.preview(final.pk, change)
    corrections.correct(preview, preview.digest, "Wrong side", owner)
    after = stranger.client.get(fragment, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert getattr(final, winner).player.name in after.content.decode()


def test_a_page_does_not_name_hidden_brackets(owner, stranger):
    hidden = stories.drawn(owner, 4)
    addresses = [("event", [hidden.event.slug])]
    addresses += [(name, at(hidden)) for name in ("standings", "results-page")]
    for name, arguments in addresses:
        event = {str(hidden.event_id)} if name == "event" else set()
        assert listened_to(stranger.open(name, *arguments)) == event, name


def test_the_overview_updates_after_every_change_of_its_event(made, browser):
    page = browser.open("event-overview", made.event.slug)
    assert listened_to(page) == {str(event_channel(made.event_id))}
    assert 'src="/static/live' in page.text


@pytest.fixture
def swiss(owner) -> Tournament:
    """Its first round is played."""
    made = stories.released(owner, 4, format=Format(Kind.SWISS, rounds=2))
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    tables.add(made.event_id, "1-2", owner)
    return made


def parts(page: Browser) -> dict[str, str]:
    """The parts of a page that updates itself, without what is new in each answer."""
    text = re.sub(r'<input type="hidden" name="(?:csrfmiddlewaretoken|key)"[^>]*>', "", page.text)
    return dict(re.findall(r'data-part="([^"]+)"(.*?)(?=data-part=|data-notice)', text, re.DOTALL))


def test_pages_of_the_staff_update_themselves_and_give_notice(swiss, browser):
    pairing = stories.pairings(swiss).first()
    here, event = at(swiss), [swiss.event.slug]
    brackets = {channel for pk in bracket_ids(swiss) for channel in desk_channels(uuid.UUID(pk))}
    channels = {private_channel(swiss.event_id)}
    for name, arguments, followed in [
        *(
            (name, here, channels | brackets)
            for name in ("draw", "rounds", "next-round", "seats", "jackpots", "late-entry", "times", "slips")
        ),
        *((name, here, channels | brackets) for name in ("tournament-edit", "reentry-terms")),
        *((name, match(pairing), channels | brackets) for name in ("desk-match", "desk-correct")),
        ("entry-edit", [*here, pairing.left_id], channels | brackets),
        *((name, event, channels) for name in ("event-journal", "tables", "event-edit")),
        *((name, event, channels) for name in ("event-people", "screens", "kiosk-setup")),
    ]:
        page = browser.open(name, *arguments)
        assert f'data-live="{page.path}"' in page.text, name
        assert "data-notice hidden" in page.text, name
        assert 'src="/static/live' in page.text, name
        assert listened_to(page) == followed, name
        first = parts(page)
        assert len(first) > 1, name
        assert parts(browser.open(name, *arguments)) == first, f"{name} differs although nothing changed"


def test_a_refused_form_stays_as_it_was_sent(club_night, browser):
    page = browser.open("tables", club_night.event.slug).press("Add", names="")
    assert page.status == 422
    assert "data-live" not in page.text


def test_a_page_that_fetches_itself_leaves_messages_for_the_page_that_shows_them(owner, browser):
    hidden = stories.drawn(owner, 4)
    browser.client.post(reverse("draw", args=at(hidden)), {"do": "release"})
    overview = reverse("event-overview", args=[hidden.event.slug])
    assert "message--success" not in browser.client.get(overview, headers={"X-Live": "1"}).text
    assert "message--success" in browser.client.get(overview).text
