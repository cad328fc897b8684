"""Second chances of every kind and size: drops, number of losses, and no player meets itself."""

from collections import Counter
from random import Random

import pytest

from tests.tournament.draw.drawing import play_out
from tests.tournament.draw.recipes.drops.playing import FORMATS, Played, played, sizes_of
from tournament.draw.graph import FromBye, FromPairing, Graph, GraphError, Outcome
from tournament.draw.recipes import apply_order
from tournament.draw.recipes.drops import (
    DOUBLE_ELIMINATION,
    DOUBLE_ELIMINATION_WITH_RESET,
    KNOCK_OUT,
    PROGRESSIVE_CONSOLATION,
    SIMPLE,
    SIMPLE_CONSOLATION,
    WITH_THIRD_PLACE,
    KnockoutFormat,
    knockout,
    second_bracket_fit,
)
from tournament.draw.recipes.knockout import Spot
from tournament.draw.standings.knockout_places import knockout_places


def all_played(graph: Graph[Spot, int], seed: int) -> list[Played]:
    chance = Random(seed)
    return list(played(graph, lambda: chance.random() < 0.5))


def losses(matches: list[Played]) -> Counter[int]:
    return Counter(match.loser for match in matches)


def matches_in(graph: Graph[Spot, int], bracket: str) -> list[int]:
    """The number of pairings in each round without a drawn bye."""
    counted = Counter(
        pairing.round
        for pairing in graph
        if pairing.bracket == bracket and FromBye() not in (pairing.left, pairing.right)
    )
    return [counted[number] for number in sorted(counted)]


@pytest.mark.parametrize("name", FORMATS)
def test_everybody_plays_somebody_else_until_every_chance_is_lost(name: str) -> None:
    """Byes are in round one only and never meet."""
    chosen = FORMATS[name]
    chances = 1 + bool(chosen.consolation or chosen.double) + bool(chosen.last_chance) + chosen.third_place
    for entries in sizes_of(name):
        graph = knockout(entries, chosen)
        matches = all_played(graph, entries)
        assert all(match.left != match.right for match in matches)
        assert {player for match in matches for player in match.two} == set(range(1, entries + 1))
        assert max(losses(matches).values()) <= chances
        byes = [(pairing.round, (pairing.left, pairing.right).count(FromBye())) for pairing in graph]
        assert all(number <= (round_number == 1) for round_number, number in byes)


def test_a_plain_knock_out_has_one_match_less_than_entries() -> None:
    for entries in sizes_of("plain"):
        assert len(all_played(knockout(entries, KNOCK_OUT), 1)) == entries - 1


def test_eliminated_players_of_a_double_elimination_lost_twice() -> None:
    for entries in sizes_of("double elimination"):
        lost = losses(all_played(knockout(entries, DOUBLE_ELIMINATION_WITH_RESET), entries))
        out = [player for player, times in lost.items() if times == 2]
        assert len(out) == entries - 1
        assert len(lost) in (entries - 1, entries)


def test_a_second_final_is_played_only_if_the_unbeaten_side_lost_the_first() -> None:
    for seed in range(20):
        matches = all_played(knockout(8, DOUBLE_ELIMINATION_WITH_RESET), seed)
        finals = [match for match in matches if match.key[0] == "final"]
        assert len(finals) == 1 + (not finals[0].left_won)
        assert len({match.two for match in finals}) == 1


def test_without_a_reset_one_final_decides() -> None:
    graph = knockout(13, DOUBLE_ELIMINATION)
    assert [pairing.key for pairing in graph if pairing.bracket == "final"] == [("final", 1, 1)]
    assert len(all_played(graph, 3)) == 2 * 13 - 2


def test_two_play_a_double_elimination_as_one_match_and_its_return() -> None:
    graph = knockout(2, DOUBLE_ELIMINATION_WITH_RESET)
    assert [pairing.key for pairing in graph] == [("main", 1, 1), ("final", 1, 1), ("final", 2, 1)]


def test_everybody_but_the_last_two_of_a_main_bracket_plays_on_in_a_progressive_consolation() -> None:
    for entries in sizes_of("progressive consolation"):
        matches = all_played(knockout(entries, PROGRESSIVE_CONSOLATION), entries)
        in_consolation = {
            player for match in matches if match.key[0] == "consolation" for player in match.two
        }
        assert len(in_consolation) == entries - 2


def test_a_simple_consolation_is_for_all_who_lose_the_first_match_they_play() -> None:
    for entries in sizes_of("simple consolation"):
        matches = all_played(knockout(entries, SIMPLE_CONSOLATION), entries)
        first: dict[int, Played] = {}
        for match in sorted(matches, key=lambda match: (match.key[0] != "main", match.key[1])):
            for player in match.two:
                first.setdefault(player, match)
        losers = {player for player, match in first.items() if match.loser == player}
        played_on = {player for match in matches if match.key[0] == "consolation" for player in match.two}
        assert played_on <= losers
        assert len(losers - played_on) <= (len(losers) == 1)
        lost_there = losses([match for match in matches if match.key[0] == "consolation"])
        assert len(lost_there) == len(losers) - 1


def test_a_partial_last_chance_stops_with_several_winners() -> None:
    whole = knockout(64, KnockoutFormat(consolation=SIMPLE, last_chance=SIMPLE))
    partial = knockout(64, KnockoutFormat(consolation=SIMPLE, last_chance=SIMPLE, last_chance_rounds=2))
    assert matches_in(whole, "last chance") == [8, 4, 2, 1]
    assert matches_in(partial, "last chance") == [8, 4]


def test_small_letters_let_main_rounds_drop_into_the_last_chance() -> None:
    chosen = KnockoutFormat(consolation="A.B.C.D.|.|", last_chance="A.Be.|.|.|")
    last_chance = [pairing for pairing in knockout(32, chosen) if pairing.bracket == "last chance"]
    sources = {source for pairing in last_chance for _, source in pairing.seats}
    assert FromPairing(("main", 5, 1), Outcome.LOSER) in sources
    dropped = {source.pairing[:2] for source in sources if isinstance(source, FromPairing)}
    assert dropped >= {("consolation", 1), ("consolation", 2), ("main", 5)}
    assert ("consolation", 3) not in dropped


def test_in_a_third_place_match_the_losers_of_the_semifinals_meet() -> None:
    graph = knockout(11, WITH_THIRD_PLACE)
    third = graph["third place", 1, 1]
    assert [source for _, source in third.seats] == [
        FromPairing(("main", 3, line), Outcome.LOSER) for line in (1, 2)
    ]
    assert ("third place", 1, 1) not in knockout(2, WITH_THIRD_PLACE)


@pytest.mark.parametrize(
    ("entries", "dropping", "recipe", "seats"),
    [
        (24, None, "AB.C.D.|.|", [8, 6, 4, 2, 1]),
        (80, 5, "AB.C.DE.|.|.|.|", [24, 20, 16, 8, 4, 2, 1]),
    ],
)
def test_sizes_between_powers_of_two_have_layouts_without_a_bye_below(
    entries: int, dropping: int | None, recipe: str, seats: list[int]
) -> None:
    chosen = KnockoutFormat(consolation="progressive", dropping=dropping)
    fitting = second_bracket_fit(entries, chosen)
    assert fitting is not None
    assert (str(fitting.recipe), fitting.byes) == (recipe, 0)
    assert matches_in(knockout(entries, chosen), "consolation") == seats


def test_a_consolation_follows_the_notation_that_a_director_writes() -> None:
    graph = knockout(32, KnockoutFormat(consolation="A.B.C.D.|.|"))
    assert matches_in(graph, "consolation") == [8, 8, 6, 4, 2, 1]
    assert len(all_played(graph, 1)) == 60


def test_a_loser_beside_a_bye_gets_the_bye_of_the_consolation() -> None:
    graph = knockout(27, KnockoutFormat(consolation="A.B.C.D.|.|"))
    byes = {
        source.pairing[2]
        for pairing in graph
        if pairing.bracket == "consolation" and FromBye() in (pairing.left, pairing.right)
        for _, source in pairing.seats
        if isinstance(source, FromPairing)
    }
    main = [pairing for pairing in graph if pairing.key[:2] == ("main", 1)]
    beside = {
        neighbor.line
        for upper, lower in zip(main[::2], main[1::2], strict=True)
        for passed, neighbor in ((upper, lower), (lower, upper))
        if FromBye() in (passed.left, passed.right)
    }
    assert byes == beside


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"reset": True}, "second final"),
        ({"double": True, "third_place": True}, "every loser drops"),
        ({"last_chance": SIMPLE}, "Choose one first"),
        ({"consolation": SIMPLE, "last_chance_rounds": 1}, "stops after"),
        ({"consolation": SIMPLE, "last_chance": SIMPLE, "last_chance_rounds": 0}, "stops after"),
    ],
)
def test_a_format_that_contradicts_itself_is_refused(wanted: dict[str, object], problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        KnockoutFormat(**wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entries", "chosen", "problem"),
    [
        (1, KNOCK_OUT, "2 to 1,024"),
        (1025, DOUBLE_ELIMINATION, "2 to 1,024"),
        (2, SIMPLE_CONSOLATION, "nobody is left"),
        (3, PROGRESSIVE_CONSOLATION, "Too few enter"),
        (6, KnockoutFormat(third_place=True, consolation=SIMPLE), "Let fewer rounds drop"),
        (8, KnockoutFormat(third_place=True, consolation="A.B.|"), "Let fewer rounds drop"),
        (16, KnockoutFormat(double=True, consolation="A.B.|.C.|"), "leaves some out"),
        (16, KnockoutFormat(third_place=True, consolation="A.B.|.C.|"), "Let fewer rounds drop"),
        (32, KnockoutFormat(consolation="A.B.C.D.|.|", last_chance="A.b.|"), "from a round b"),
    ],
)
def test_a_field_too_small_or_too_large_is_refused_in_a_sentence(
    entries: int, chosen: KnockoutFormat, problem: str
) -> None:
    with pytest.raises(GraphError, match=problem):
        knockout(entries, chosen)


@pytest.mark.parametrize("name", FORMATS)
def test_everybody_is_placed_once_in_each_list_of_places_a_format_has(name: str) -> None:
    for entries in (8, 13):
        graph = apply_order(knockout(entries, FORMATS[name]), [f"entry {n}" for n in range(entries)])
        _, seating = play_out(graph, Random(entries))
        for ranking in FORMATS[name].rankings:
            placed = knockout_places(graph, seating, ranking.brackets, ranking.above)
            assert not any(placing.still_in for placing in placed)
            assert len({placing.entry for placing in placed}) == len(placed)
            taken = Counter((placing.place_from, placing.place_to) for placing in placed)
            assert all(number == last - first + 1 for (first, last), number in taken.items())
            if ranking.brackets[0] == "main":
                assert len(placed) == entries


@pytest.mark.parametrize("name", ["double elimination and last chance", "consolation and last chance"])
def test_a_thousand_entries_play_to_the_end(name: str) -> None:
    matches = all_played(knockout(1000, FORMATS[name]), 1)
    assert {player for match in matches for player in match.two} == set(range(1, 1001))
    assert len({match.key for match in matches}) == len(matches)
