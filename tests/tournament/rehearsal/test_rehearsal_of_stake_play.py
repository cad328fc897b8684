"""Rehearsed sessions: simulated players bring each of them to its result through the API, whatever goes wrong."""

import json
from random import Random

import pytest
from django.test import Client

from matches.models import CardRow, Match, MatchState, RowKind
from rules.ruleset import PRESETS, Ruleset
from tests.tournament import stories
from tournament.accounts import links
from tournament.brackets.lengths import StakePlay
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.rehearsal import table as tables
from tournament.rehearsal.counts import Counts
from tournament.rehearsal.people import player
from tournament.rehearsal.phone import Person, Phone
from tournament.rehearsal.table import Table
from tournament.rehearsal.wire import Answer, Wire

pytestmark = pytest.mark.django_db


class NearWire(Wire):
    """Asks the product here instead of over HTTP."""

    def __init__(self, token: str) -> None:
        super().__init__("http://127.0.0.1")
        self.client = Client(headers={"Authorization": f"Bearer {token}"})

    def _exchange(self, method: str, path: str, body, headers: dict[str, str]) -> Answer:
        text = "" if body is None else json.dumps(body)
        answer = self.client.generic(method, path, text, content_type="application/json")
        document = answer.json() if answer.content and "json" in answer["Content-Type"] else ""
        return Answer(answer.status_code, document)


@pytest.mark.parametrize(
    ("sessions", "preset", "two_cards"),
    [
        (StakePlay(games=3), "tournament", True),
        (StakePlay(minutes=30), "boxed-set", False),
    ],
)
def test_every_session_gets_a_result(sessions, preset, two_cards):
    director = stories.director()
    made = stories.entered(
        director, 4, stake=sessions, format=Format(kind=Kind.ROUND_ROBIN), two_cards=two_cards
    )
    type(made).objects.filter(pk=made.pk).update(ruleset=PRESETS[preset].as_json())
    stories.draws.make(made.pk, stories.draws.DrawPlan(seed_text="a seed"), director)
    stories.draws.release(made.pk, director)
    counts, rng = Counts(1000), Random(11)
    desk = Phone(NearWire(links.make_api_token(director.user, "rehearsal")), counts, rng)
    people = {
        entry.pk: Person(
            str(entry.pk),
            entry.name,
            player(None, rng),
            Phone(NearWire(links.make_link(entry, director)), counts, rng),
        )
        for entry in made.entries.all()
    }
    for pairing in stories.playable(made):
        match = tables.Match(
            id=str(pairing.match_id),
            pairing=pairing.pk,
            place="Open",
            number=str(pairing.pk),
            length=pairing.round.length,
            games=pairing.round.games,
            minutes=pairing.round.minutes,
            ruleset=Ruleset.from_json(pairing.match.ruleset),
            games_wanted=False,
            two_cards=two_cards,
        )
        for _ in Table(match, people[pairing.left_id], people[pairing.right_id], desk, rng).script():
            pass
    matches = Match.objects.filter(pairing__round__bracket__tournament=made)
    assert set(matches.values_list("state", flat=True)) == {MatchState.POSTED}
    assert CardRow.objects.filter(kind=RowKind.STOP).exists() is (sessions.minutes is not None)
    stories.advancing.advance_waiting()
    assert consistency.differences(made.event) == []
