"""Pages of tournaments with several brackets: each at its own address, hidden with the draw, updated automatically."""

import random
import xml.etree.ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.models import Pairing, Tournament
from tournament.queries.desk.desk import load_desk
from tournament.queries.desk.match_search import find_matches
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

CONSOLATION = Format(consolation="progressive", last_chance="simple")


@pytest.fixture
def anyone() -> Client:
    return Client()


def at(made: Tournament, name: str, *more: str) -> str:
    return reverse(name, args=[made.event.slug, made.slug, *more])


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_brackets_link_to_each_other_and_stand_on_one_sheet(actor, anyone, django_assert_max_num_queries):
    made = seeded(actor, 8, format=CONSOLATION)
    wins(made, actor, 1, 8)
    for address in (at(made, "bracket"), at(made, "side-bracket", "last-chance")):
        page = text(anyone, address)
        for key in ("consolation", "last-chance"):
            assert f'href="{at(made, "side-bracket", key)}"' in page
        assert f'href="{at(made, "bracket")}"' in page
        assert at(made, "bracket-sheet") in page
    with django_assert_max_num_queries(25):
        sheet = text(anyone, at(made, "bracket-sheet"))
    headings = ("Main</a></h2>", "Consolation</a></h2>", "Last chance</a></h2>")
    assert [heading in sheet for heading in headings] == [True, True, True]
    assert sheet.index(headings[0]) < sheet.index(headings[1])
    alone = seeded(actor, 4)
    page = text(anyone, at(alone, "bracket"))
    assert 'class="brackets' not in page
    assert at(alone, "bracket-sheet") not in page


def test_a_bracket_beside_the_main_one_shows_its_own_matches_and_standings(actor, anyone):
    made = seeded(actor, 8, format=CONSOLATION)
    wins(made, actor, 1, 8)
    page = text(anyone, at(made, "side-bracket", "consolation"))
    assert "Loser of match 2" in page
    assert ">C1<" in page
    assert page.count("Consolation") >= 2
    main = text(anyone, at(made, "bracket"))
    assert ">C1<" not in main
    standings = text(anyone, at(made, "side-standings", "consolation"))
    assert made.entries.get(seed=8).player.name in standings
    assert made.entries.get(seed=1).player.name not in standings
    assert f'href="{at(made, "side-standings", "consolation")}"' in text(anyone, at(made, "standings"))
    wins(made, actor, 4, 5)
    row = meeting(made, 8, 5)
    assert f'href="../../match/{row.match_id}/"' in text(anyone, at(made, "side-bracket", "consolation"))
    assert anyone.get(f"{at(made, 'bracket')}match/{row.match_id}/").status_code == 200


def test_a_bracket_beside_the_main_one_names_its_own_winner_once(actor, anyone):
    made = seeded(actor, 8, format=CONSOLATION)
    while ready := stories.playable(made):
        stories.play(ready[0], actor)
    top = (
        text(anyone, at(made, "side-bracket", "consolation"))
        .split('data-part="top"')[1]
        .split('class="chooser"')[0]
    )
    assert top.count("Consolation") == 1
    assert top.count("Last chance") == 1


def test_a_hidden_draw_hides_every_bracket(actor, anyone):
    made = stories.drawn(actor, 8, format=CONSOLATION)
    for name in (
        "side-bracket",
        "side-bracket-fragment",
        "side-bracket-print",
        "side-bracket-svg",
        "side-standings",
    ):
        assert anyone.get(at(made, name, "consolation")).status_code == 404
    assert anyone.get(at(made, "bracket-sheet")).status_code == 404


def test_an_unknown_bracket_is_not_found(actor, anyone):
    made = seeded(actor, 4)
    for name in (
        "side-bracket",
        "side-bracket-fragment",
        "side-bracket-print",
        "side-bracket-svg",
        "side-standings",
    ):
        assert anyone.get(at(made, name, "lower")).status_code == 404


def test_a_fragment_is_built_again_only_when_its_own_bracket_changed(actor, anyone):
    made = seeded(actor, 8, format=Format(consolation="progressive"))
    addresses = [at(made, "bracket-fragment"), at(made, "side-bracket-fragment", "consolation")]
    etags = [anyone.get(address)["ETag"] for address in addresses]
    row = meeting(made, 1, 8)
    stories.post(row, actor, "left")
    again = [
        anyone.get(address, headers={"If-None-Match": etag}).status_code
        for address, etag in zip(addresses, etags, strict=True)
    ]
    assert again == [200, 304]


def test_each_bracket_is_printed_and_drawn_separately(actor, anyone):
    made = seeded(actor, 8, format=CONSOLATION)
    assert "Consolation" in text(anyone, at(made, "side-bracket-print", "consolation"))
    answer = anyone.get(at(made, "side-bracket-svg", "last-chance"))
    assert answer["Content-Disposition"].endswith('open-last-chance.svg"')
    drawing = "".join(ET.fromstring(answer.content).itertext())
    assert "Last chance" in drawing
    assert "Loser of match C1" in drawing


def test_a_table_shows_one_round_its_byes_and_the_leader(actor, anyone):
    made = stories.released(actor, 5, format=Format(Kind.ROUND_ROBIN))
    chance = random.Random(1)
    for row in [row for row in stories.playable(made) if row.round.number == 1]:
        stories.play(row, actor, chance.choice(["left", "right"]))
    page = text(anyone, at(made, "bracket"))
    assert "Round 2" in page
    assert page.count('class="pairing ') == 3
    assert page.count("bye</span>") == 1
    assert "Sonneborn-Berger" in page
    first = text(anyone, f"{at(made, 'bracket')}?round=1")
    assert first.count("pairing--decided") == 2


def test_the_phone_of_a_group_player_links_to_every_match(actor, anyone):
    made = stories.released(actor, 6, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    row = stories.playable(made)[0]
    anyone.get(f"/p/{links.make_link(row.left, actor)}/")
    page = text(anyone, "/me/")
    mine = Pairing.objects.filter(match__isnull=False, left=row.left) | Pairing.objects.filter(
        match__isnull=False, right=row.left
    )
    assert mine.count() == 2
    assert all(f"/me/{pairing.match_id}/" in page for pairing in mine)
    assert page.count("Group ") >= 2


def test_who_lost_sees_the_next_match_in_the_consolation(actor, anyone):
    made = seeded(actor, 8, format=CONSOLATION)
    wins(made, actor, 1, 8)
    anyone.get(f"/p/{links.make_link(made.entries.get(seed=8), actor)}/")
    assert "Consolation" in text(anyone, "/me/")
    wins(made, actor, 4, 5)
    page = text(anyone, "/me/")
    assert f"against <bdi>{made.entries.get(seed=5).player.name}</bdi>" in page
    player = text(anyone, at(made, "player-page", str(made.entries.get(seed=8).pk)))
    assert "Consolation" in player


def test_the_desk_finds_a_match_of_any_bracket_by_its_label(actor):
    made = seeded(actor, 8, format=CONSOLATION)
    for pair in ((1, 8), (4, 5), (2, 7), (3, 6)):
        wins(made, actor, *pair)
    lines = load_desk(made).open_lines
    matches = {typed: find_matches(lines, typed)[0].line.pairing.id for typed in ("5", "C1", "c2")}
    assert matches["5"] in {row.pk for row in stories.playable(made) if row.round.bracket.key == "main"}
    assert len(set(matches.values())) == 3
    with pytest.raises(Refused, match="Match L1 is not open"):
        find_matches(lines, "L1")
