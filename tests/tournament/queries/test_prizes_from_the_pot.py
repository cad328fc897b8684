"""The prizes of certain places out of the pots of a tournament, on standings, pages and in files."""

from dataclasses import replace

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.draw.prizes import parse_prizes
from tournament.exports.export_tables import standings_table
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import Tournament
from tournament.money.fees import set_schedule
from tournament.money.prize_structures import set_structure
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure
from tournament.queries.standings.prizes import format_share
from tournament.queries.standings.standings import standing_lines

pytestmark = pytest.mark.django_db
PARTS = (Part("main", 1, 1, 4), Part("main", 2, 2, 2), Part("main", 3, 4, 1))
EXTRA = PoolPrizes("extra", (1,), added=5_00, is_open=True)
STRUCTURE = PrizeStructure("EUR", PARTS, pools=(EXTRA,), is_public=True)


@pytest.fixture
def finished(actor):
    """Four entries paid 20 EUR each; a trophy and amounts were announced before."""
    made = stories.released(actor, 4)
    announced = {"currency": "USD", "tables": {"main": {"1": "Trophy", "2": "999"}}}
    Tournament.objects.filter(pk=made.pk).update(prizes=parse_prizes(announced).as_json())
    set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00)), actor)
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    stories.play(stories.playable(made)[0], actor)
    return made


def prizes(made):
    made = Tournament.objects.get(pk=made.pk)
    return [format_share(line.prize) for line in standing_lines(made)]


def test_places_get_amounts_of_the_pot_and_keep_announced_labels(finished, actor):
    assert prizes(finished) == ["Trophy", "$999", "", ""]
    set_structure(finished.pk, STRUCTURE, actor)
    assert prizes(finished) == [
        "€40, Trophy, Extra prize: €5",
        "€20",
        "€10",
        "€10",
    ]
    table = standings_table(Tournament.objects.get(pk=finished.pk))
    assert [str(cell) for cell in table.rows[0][-3:-1]] == ["40.00", "EUR"]
    page = Browser().open("standings", finished.event.slug, finished.slug)
    assert page.says("€80 in all, from the present entries.")
    assert page.says('<td>3–4</td><td class="num">€10</td>')
    assert not page.says("Entries that just miss the prizes")
    set_structure(finished.pk, replace(STRUCTURE, bubble=True), actor)
    assert page.open("standings", finished.event.slug, finished.slug).says(
        "Entries that just miss the prizes"
    )


def test_spectators_see_no_prizes_that_the_director_does_not_show(finished, actor):
    set_structure(finished.pk, PrizeStructure("EUR", PARTS), actor)
    assert prizes(finished) == ["Trophy", "", "", ""]
    page = Browser().open("standings", finished.event.slug, finished.slug)
    assert not page.says("in all, from the present entries")
