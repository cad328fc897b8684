"""Re-entries on the phone of the first entry; a code opens no other player's pages."""

from dataclasses import dataclass
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.entries import reentry
from tournament.entries.reentry import ReentryTerms
from tournament.events import setup
from tournament.models import Entry, Pairing, Tournament
from tournament.queries.entries.entry_list import entry_list

pytestmark = pytest.mark.django_db


@dataclass
class Again:
    """A tournament in which one has entered again: both entries, the code of the first, and the match of the second."""

    tournament: Tournament
    owner: Actor
    first: Entry
    second: Entry
    code: str

    @property
    def match(self) -> Pairing:
        playable = stories.playable(self.tournament)
        return next(row for row in playable if self.second.pk in (row.left_id, row.right_id))


@pytest.fixture
def again() -> Again:
    owner = stories.director()
    made = stories.released(owner, 7, confirm_after=10)
    reentry.set_terms(made.pk, ReentryTerms(allowed=True), owner)
    row = stories.playable(made)[0]
    first, code = row.right, links.make_link(row.right, owner)
    stories.play(row, owner)
    return Again(made, owner, first, reentry.re_enter(first, owner), code)


def entries_on_phone(code: str) -> list[str]:
    answer = Client().get("/api/v1/me/", headers={"authorization": f"Bearer {code}"})
    return [line["entry"] for line in answer.json()]


def test_the_code_of_the_first_entry_opens_both_and_plays_for_the_second(again):
    card = Card(phone(again.code), again.match.match_id)
    assert card.page().status_code == 200
    assert card.client.get("/me/").status_code == 200
    assert entries_on_phone(again.code) == [str(again.second.pk), str(again.first.pk)]
    card.game("left" if again.match.left == again.second else "right")
    assert again.match.match.cards.count() == 1
    lines = {line.entry.pk: line.phones for line in entry_list(again.tournament)}
    assert (lines[again.first.pk], lines[again.second.pk]) == (1, 1)
    assert sum(lines.values()) == 2


def test_the_code_of_the_second_entry_opens_both_once(again):
    second_code = links.make_link(again.second, again.owner)
    assert entries_on_phone(second_code) == [str(again.second.pk), str(again.first.pk)]
    both = phone(again.code, second_code).get("/me/").content.decode()
    assert both.count(f'data-part="path-{again.second.pk}"') == 1


def test_a_code_opens_no_other_player_and_no_other_tournament(again):
    others = [row for row in stories.playable(again.tournament) if row != again.match]
    client = phone(again.code)
    assert all(client.get(reverse("my-match", args=[row.match_id])).status_code == 404 for row in others)
    opponent = again.match.right if again.match.left == again.second else again.match.left
    assert entries_on_phone(links.make_link(opponent, again.owner)) == [str(opponent.pk)]
    plan = setup.TournamentPlan("Novice", stories.PRESETS["tournament"], (3,))
    novice = setup.create_tournament(again.tournament.event, plan, again.owner)
    elsewhere = Entry.objects.create(
        tournament=novice, player=again.first.player, entered_at=again.first.entered_at
    )
    assert str(elsewhere.pk) not in entries_on_phone(again.code)
    assert entries_on_phone(links.make_link(elsewhere, again.owner)) == [str(elsewhere.pk)]


def test_a_new_code_shuts_the_phones_of_both_entries_out(again):
    new = links.reissue(again.second, again.owner)
    assert phone(again.code).get("/me/").status_code == 403
    assert entries_on_phone(new) == [str(again.second.pk), str(again.first.pk)]


def test_the_second_entry_is_called_so_wherever_it_is_shown(again):
    name = f"{again.first.player.name} (2)"
    place = [again.tournament.event.slug, again.tournament.slug]
    addresses = [
        reverse("bracket", args=place),
        reverse("entry-list", args=place),
        reverse("standings", args=place),
        reverse("player-page", args=[*place, again.second.pk]),
        reverse("match-page", args=[*place, again.match.match_id]),
    ]
    desk = Client()
    desk.force_login(again.owner.user, backend="django.contrib.auth.backends.ModelBackend")
    of_desk = [reverse(name, args=place) for name in ("entries", "desk")]
    of_desk.append(reverse("event-journal", args=place[:1]))
    for client, wanted in ((Client(), addresses), (phone(again.code), ["/me/"]), (desk, of_desk)):
        for address in wanted:
            assert name in unescape(client.get(address).content.decode()), address
