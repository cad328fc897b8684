"""The final ranking of a tournament, and the places of an entry that cannot change any more."""

import random
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournament import stories
from tests.tournament.queries.cards import seeded, wins
from tournament.draw.formats import Format, Kind
from tournament.draw.prizes import parse_prizes
from tournament.models import Entry, Tournament
from tournament.places.certain import FINAL_RANKING
from tournament.queries.events.ends import final_places, find_result
from tournament.queries.standings.final_ranking import final_ranking
from tournament.queries.standings.standings import list_rankings

pytestmark = pytest.mark.django_db
GROUPS = Format(Kind.GROUPS, groups=2, qualifiers=1)


def places(made: Tournament) -> Sequence[str]:
    ranking = find_result(made).ranking
    return [line.place_text for line in ranking.lines] if ranking else []


def play_groups(made: Tournament, actor) -> None:
    """The better seed wins."""
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key != "play-off"]:
        row = waiting[0]
        stories.play(row, actor, "left" if row.left.seed < row.right.seed else "right")


def test_players_of_the_play_off_are_ranked_before_the_others_of_their_groups(actor):
    made = seeded(actor, 8, format=GROUPS)
    assert final_ranking(list_rankings(made)) is None
    play_groups(made, actor)
    assert places(made) == []
    lasts = {
        tuple((place.bracket, place.text) for place in final_places(entry)) for entry in entries_of(made)
    }
    assert lasts == {(), (("", "3–4"),), (("", "5–6"),), (("", "7–8"),)}, "final before the play-off"
    stories.play_out(made, actor, random.Random(1))
    ranking = find_result(made).ranking
    assert ranking is not None
    assert ranking.key == FINAL_RANKING
    assert {line.entry_id for line in ranking.lines} == set(made.entries.values_list("pk", flat=True))
    assert places(made) == ["1", "2", *["3–4"] * 2, *["5–6"] * 2, *["7–8"] * 2]
    assert (ranking.lines[0].won, ranking.lines[0].lost) == (4, 0)


def test_a_loser_has_places_in_the_tournament_and_in_the_consolation(actor):
    prizes = parse_prizes({"currency": "EUR", "tables": {"consolation": {"1": "40"}}})
    made = seeded(actor, 4, format=Format(consolation="simple"), prizes=prizes)
    loser = made.entries.select_related("tournament").get(seed=4)
    assert final_places(loser) == []
    wins(made, actor, 1, 4)
    [place] = final_places(loser)
    assert (place.bracket, place.text, place.entries, place.prize) == ("", "3–4", 4, None)
    wins(made, actor, 2, 3)
    stories.play(stories.pairings(made).get(round__bracket__key="consolation"), actor)
    places = {entry.seed: final_places(entry)[1] for entry in entries_of(made) if entry.seed in (3, 4)}
    assert sorted(place.text for place in places.values()) == ["1", "2"]
    assert [str(place.prize.amount) for place in places.values() if place.prize] == ["40.00"]


def test_no_place_of_a_swiss_is_final_before_the_last_round(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=2))
    for row in stories.playable(made):
        stories.play(row, actor)
    assert [final_places(entry) for entry in entries_of(made)] == [[]] * 4


def test_a_hidden_draw_has_no_places(actor):
    made = stories.drawn(actor, 4)
    assert [final_places(entry) for entry in entries_of(made)] == [[]] * 4


def test_the_result_of_more_players_takes_no_more_statements(actor):
    counts = []
    for entries in (4, 8):
        made = stories.released(actor, entries, format=Format(consolation="progressive"))
        stories.play_out(made, actor, random.Random(1))
        with CaptureQueriesContext(connection) as statements:
            find_result(made)
        counts.append(len(statements))
    assert counts[1] <= counts[0] <= 20


def entries_of(made: Tournament) -> list[Entry]:
    return list(made.entries.select_related("tournament"))
