"""The public pages of standings and entries: crosstables, groups on one page, the final ranking, and sorting."""

import random
import re

import pytest

from tests.tournament import stories
from tests.tournament.pages.places import at
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.draw.formats import Format, Kind
from tournament.draw.standings import CountingRules, StandingRules, Unplayed
from tournament.models import Tournament
from tournament.queries.standings.crosstables import Qualification, crosstables
from tournament.queries.standings.standings import list_rankings
from tournament.results import desk

pytestmark = pytest.mark.django_db
GROUPS = Format(Kind.GROUPS, groups=2, qualifiers=1)


def names(page, table: str) -> list[str]:
    """The names of players in a table, from top to bottom."""
    return re.findall(
        r'<th scope="row">\s*<a [^>]*><bdi>([^<]*)</bdi>', page.text.partition(f'id="{table}"')[2]
    )


def test_a_crosstable_shows_each_result_from_both_sides(owner, stranger):
    made = seeded(owner, 3, format=Format(Kind.ROUND_ROBIN))
    row = meeting(made, 1, 2)
    stories.play(row, owner, "left" if row.left.seed == 1 else "right", (3, 1))
    row = meeting(made, 1, 3)
    desk.award(row, made.entries.get(seed=1).pk, "walkover", "", owner)
    stories.advancing.advance_waiting()
    [table] = crosstables(made, list_rankings(made))
    rows = {row.line.seed: row for row in table.rows}
    seeds = [row.line.seed for row in table.rows]

    def cell(entry: int, opponent: int) -> list[tuple[bool, tuple[int, int] | None]]:
        results = rows[entry].cells[seeds.index(opponent)].results
        return [(result.is_won, result.points) for result in results]

    assert cell(1, 2) == [(True, (3, 1))]
    assert cell(2, 1) == [(False, (1, 3))]
    assert (cell(1, 3), cell(3, 1)) == ([(True, None)], [(False, None)])
    assert cell(2, 3) == []
    assert all(row.cells[place].is_self for place, row in enumerate(table.rows))
    page = stranger.open("standings", *at(made))
    assert page.says("Crosstable")
    assert page.says("3–1")


def test_groups_are_on_one_page_until_the_final_ranking_is_known(owner, stranger):
    made = seeded(owner, 8, format=GROUPS)
    page = stranger.open("standings", *at(made))
    assert page.text.count('class="table crosstable"') == 2
    assert not page.says("Final ranking")
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key != "play-off"]:
        row = waiting[0]
        stories.play(row, owner, "left" if row.left.seed < row.right.seed else "right")
    qualified = [
        row.line.seed
        for table in crosstables(made, list_rankings(made))
        for row in table.rows
        if row.qualification is Qualification.QUALIFIED
    ]
    assert sorted(qualified) == [1, 2]
    assert stranger.open("standings", *at(made)).says("Final ranking")
    stories.play_out(made, owner, random.Random(1))
    assert len(names(stranger.open("standings", *at(made)), "standings")) == 8
    assert stranger.open("side-standings", *at(made), "groups").text.count('class="table crosstable"') == 2
    assert len(names(stranger.open("side-standings", *at(made), "group-1"), "standings")) == 4
    assert stranger.open("side-standings", *at(made), "final").status == 404


def test_a_leader_of_a_group_is_marked_before_the_group_is_over(owner):
    made = seeded(owner, 8, format=GROUPS)
    assert marks(made) == {Qualification.NONE}
    row = stories.playable(made)[0]
    stories.play(row, owner)
    assert marks(made) == {Qualification.NONE, Qualification.IN_PLACE}


def marks(made) -> set[Qualification]:
    return {row.qualification for table in crosstables(made, list_rankings(made)) for row in table.rows}


def test_the_standings_say_what_a_bye_is_worth(owner, stranger):
    made = stories.released(owner, 3, format=Format(Kind.SWISS, rounds=2))
    stories.play(stories.playable(made)[0], owner)
    page = stranger.open("standings", *at(made))
    assert page.says("A bye counts as a win.")
    assert page.says("an opponent with the player’s own score")
    nothing = StandingRules(counting=CountingRules(bye=Unplayed(wins=False)))
    Tournament.objects.update(format=Format(Kind.SWISS, rounds=2, standings=nothing).as_json())
    assert not stranger.open("standings", *at(made)).says("A bye counts as a win.")


def test_standings_and_entries_are_sorted_by_a_column(owner, stranger):
    made = seeded(owner, 4)
    wins(made, owner, 1, 4)
    by_name = sorted(entry.name for entry in made.entries.select_related("player"))
    for name, table in (("standings", "standings"), ("entry-list", "players")):
        assert names(stranger.open(name, *at(made), query="?sort=name"), table) == by_name
        assert names(stranger.open(name, *at(made), query="?sort=-name"), table) == by_name[::-1]
    by_seed = [entry.name for entry in made.entries.select_related("player").order_by("seed")]
    assert names(stranger.open("entry-list", *at(made), query="?sort=seed"), "players") == by_seed
