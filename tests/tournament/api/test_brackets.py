"""Several brackets over the API: list, single brackets and their standings."""

import pytest

from tests.tournament import stories
from tests.tournament.queries.cards import seeded, wins
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db):
    return seeded(stories.director(), 8, format=Format(consolation="progressive", last_chance="simple"))


def test_brackets_are_listed_with_their_addresses(stranger, made):
    document = stranger.get(f"/tournaments/{made.pk}/brackets/").json()
    assert [(line["key"], line["slug"], line["shape"]) for line in document] == [
        ("main", "main", "tree"),
        ("consolation", "consolation", "tree"),
        ("last chance", "last-chance", "tree"),
    ]
    assert document[0]["undecided"] == 7
    for line in document:
        bracket = stranger.get(f"/tournaments/{made.pk}/brackets/{line['slug']}/").json()
        assert (bracket["key"], bracket["id"]) == (line["key"], line["id"])


def test_nothing_is_listed_while_the_draw_is_hidden(stranger):
    hidden = stories.drawn(stories.director(), 4)
    assert stranger.get(f"/tournaments/{hidden.pk}/brackets/").status_code == 404
    draws.release(hidden.pk, stories.director())
    assert len(stranger.get(f"/tournaments/{hidden.pk}/brackets/").json()) == 1


def test_an_empty_seat_names_the_bracket_it_waits_for(stranger, made):
    document = stranger.get(f"/tournaments/{made.pk}/brackets/last-chance/").json()
    coming = document["rounds"][0]["pairings"][0]["left"]["coming"]
    assert (coming["outcome"], coming["bracket"], coming["called"]) == ("loser", "consolation", "C1")


def test_standings_are_requested_by_bracket(stranger, made):
    wins(made, stories.director(), 1, 8)
    here = f"/tournaments/{made.pk}/standings/"
    assert len(stranger.get(here).json()) == 8
    assert [line["seed"] for line in stranger.get(f"{here}?bracket=consolation").json()] == [8]
    assert stranger.get(f"{here}?bracket=lower").status_code == 404


def test_a_table_explains_its_places(stranger):
    swiss = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=2))
    line = stranger.get(f"/tournaments/{swiss.pk}/standings/").json()[0]
    assert line["explained"][0] == {"tie_break": "score", "value": "0", "decided": False}
