"""Rankings and their explanations: tables computed by hand, and properties of every table."""

from decimal import Decimal
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.standings.tables import (
    SWISS_OF_SIX,
    Rounds,
    a_lot,
    any_counting,
    any_rounds,
    deciding_tie_break,
    parse_match,
    placed,
    standings,
    table,
    value,
)
from tournament.draw.seating import Decision
from tournament.draw.standings import (
    CountingRules,
    ExternalValues,
    RankingStep,
    StandingRules,
    TieBreak,
    rank,
)

BY_HAND = {
    TieBreak.SCORE: [2, 1, 2, 2, 2, 0],
    TieBreak.BUCHHOLZ: [5, 4, 5, 4, 4, 5],
    TieBreak.MEDIAN_BUCHHOLZ: [2, 2, 2, 2, 2, 2],
    TieBreak.BUCHHOLZ_WITHOUT_WORST: [4, 4, 4, 4, 4, 4],
    TieBreak.SONNEBORN_BERGER: [3, 0, 3, 2, 2, 0],
    TieBreak.DEFEATED_SCORES: [3, 0, 3, 2, 2, 0],
    TieBreak.POINTS_DIFFERENCE: [4, -2, 3, 2, 2, -9],
    TieBreak.CREDITED_DIFFERENCE: [4, -2, 3, 2, 2, -9],
    TieBreak.CUMULATIVE: [5, 2, 4, 3, 4, 0],
}
ALL_FOUR_EQUAL: Rounds = [
    ["ada 7-0 bo", "cy 7-1 di"],
    ["bo 7-2 cy", "di 7-3 ada"],
]


@pytest.mark.parametrize("tie_break", BY_HAND)
def test_a_swiss_of_six_worked_out_by_hand(tie_break: TieBreak) -> None:
    ranked = standings(SWISS_OF_SIX, *({tie_break} - {TieBreak.SCORE}))
    names = ("ada", "bo", "cy", "di", "ed", "fay")
    assert [value(ranked, entry, tie_break) for entry in names] == BY_HAND[tie_break]


def test_a_standing_explains_itself_line_by_line() -> None:
    ranked = standings(SWISS_OF_SIX, TieBreak.BUCHHOLZ, TieBreak.HEAD_TO_HEAD)
    assert placed(ranked) == [(e, n, n) for n, e in enumerate(("ada", "cy", "di", "ed", "bo", "fay"), 1)]
    assert ranked[2].steps == (
        RankingStep(TieBreak.SCORE, 2, among=6, decided=True),
        RankingStep(TieBreak.BUCHHOLZ, 4, among=4, decided=True),
        RankingStep(TieBreak.HEAD_TO_HEAD, 1, among=2, decided=True),
    )
    assert ranked[5].steps == (
        RankingStep(TieBreak.SCORE, 0, among=6, decided=True),
        RankingStep(TieBreak.BUCHHOLZ, 5, among=1, decided=False),
        RankingStep(TieBreak.HEAD_TO_HEAD, None, among=1, decided=False),
    )


def test_each_pair_of_neighbours_is_separated_by_one_tie_break() -> None:
    ranked = standings(SWISS_OF_SIX, TieBreak.BUCHHOLZ, TieBreak.HEAD_TO_HEAD)
    assert [deciding_tie_break(above, below) for above, below in pairwise(ranked)] == [
        TieBreak.HEAD_TO_HEAD,
        TieBreak.BUCHHOLZ,
        TieBreak.HEAD_TO_HEAD,
        TieBreak.SCORE,
        TieBreak.SCORE,
    ]


def test_tied_entries_share_their_places() -> None:
    ranked = standings(SWISS_OF_SIX, TieBreak.BUCHHOLZ)
    assert placed(ranked) == [
        ("ada", 1, 2),
        ("cy", 1, 2),
        ("di", 3, 4),
        ("ed", 3, 4),
        ("bo", 5, 5),
        ("fay", 6, 6),
    ]
    assert deciding_tie_break(ranked[0], ranked[1]) is None


def test_the_head_to_head_is_not_applied_where_some_have_not_met() -> None:
    ranked = standings(SWISS_OF_SIX, TieBreak.HEAD_TO_HEAD)
    assert ranked[0].steps[1] == RankingStep(TieBreak.HEAD_TO_HEAD, None, among=4, decided=False)
    assert placed(ranked)[0][1:] == (1, 4)


def test_a_circle_of_wins_stays_tied_but_a_winner_over_all_does_not() -> None:
    circle = [["ada 7-0 bo"], ["bo 7-0 cy"], ["cy 7-0 ada"]]
    assert placed(standings(circle, TieBreak.HEAD_TO_HEAD)) == [(e, 1, 3) for e in ("ada", "bo", "cy")]
    unequal = [["ada 7-0 bo", "cy bye"], ["bo bye", "ada 7-0 cy"], ["bo bye"], ["cy 7-0 bo"]]
    ranked = standings(unequal, TieBreak.HEAD_TO_HEAD)
    assert [(standing.entry, standing.steps[1].value) for standing in ranked] == [
        ("ada", 2),
        ("cy", 1),
        ("bo", 0),
    ]


def test_the_head_to_head_is_repeated_only_if_the_list_names_it_again() -> None:
    """Four of two wins in a table of five: cy and di beat two of the others, ada and bo one."""
    rounds = [
        ["ada 7-0 bo", "cy 7-0 ada", "di 7-0 ada"],
        ["bo 7-0 di", "cy 7-0 bo", "di 7-0 cy"],
        ["ada 7-0 ed", "bo 7-0 ed"],
    ]
    once = standings(rounds, TieBreak.HEAD_TO_HEAD)
    assert [entry[1:] for entry in placed(once)] == [(1, 2), (1, 2), (3, 4), (3, 4), (5, 5)]
    again = standings(rounds, TieBreak.HEAD_TO_HEAD, TieBreak.HEAD_TO_HEAD)
    assert [standing.entry for standing in again] == ["di", "cy", "ada", "bo", "ed"]


def test_a_second_match_of_one_pair_only_makes_a_head_to_head_unfair_and_so_not_applied() -> None:
    rounds = [["ada 7-0 bo"], ["bo 7-0 ada"], ["ada 7-0 cy"], ["cy 7-0 bo"], ["bo bye", "cy bye"]]
    assert {s.steps[1].value for s in standings(rounds, TieBreak.HEAD_TO_HEAD)} == {None}


def test_the_score_comes_first_unless_the_list_names_it_elsewhere() -> None:
    rounds = [["ada 7-6 bo", "cy 7-0 di"], ["ada 7-6 cy"]]
    by_points = standings(rounds, TieBreak.POINTS_DIFFERENCE, TieBreak.SCORE)
    assert [standing.entry for standing in by_points] == ["cy", "ada", "bo", "di"]
    assert standings(rounds, TieBreak.POINTS_DIFFERENCE)[0].entry == "ada"


def test_the_smallest_performance_rating_is_the_best() -> None:
    ratings = {"ada": Decimal("6.1"), "bo": Decimal("4.25"), "cy": Decimal("4.3"), "di": Decimal(12)}
    ranked = standings(
        ALL_FOUR_EQUAL, TieBreak.PERFORMANCE_RATING, external=ExternalValues(performance_ratings=ratings)
    )
    assert [standing.entry for standing in ranked] == ["bo", "cy", "ada", "di"]


def test_a_rating_that_one_tied_entry_lacks_breaks_no_tie() -> None:
    ratings = {"ada": 6, "bo": 4, "cy": 5}
    ranked = standings(
        ALL_FOUR_EQUAL, TieBreak.PERFORMANCE_RATING, external=ExternalValues(performance_ratings=ratings)
    )
    assert {standing.steps[1].value for standing in ranked} == {None}
    assert placed(ranked)[0][1:] == (1, 4)


def test_a_play_off_of_four_leaves_its_two_first_losers_tied() -> None:
    play_offs = [Decision("bo", "ada"), Decision("cy", "di"), Decision("cy", "bo")]
    ranked = standings(ALL_FOUR_EQUAL, TieBreak.PLAY_OFF, external=ExternalValues(play_offs=play_offs))
    assert placed(ranked) == [("cy", 1, 1), ("bo", 2, 2), ("ada", 3, 4), ("di", 3, 4)]


def test_an_incomplete_play_off_breaks_no_tie() -> None:
    external = ExternalValues(
        play_offs=[Decision("bo", "ada"), Decision.both_lost("cy", "someone of another place")]
    )
    ranked = standings(ALL_FOUR_EQUAL, TieBreak.PLAY_OFF, external=external)
    assert placed(ranked)[0][1:] == (1, 4)


def test_a_play_off_that_both_lost_breaks_no_tie() -> None:
    rounds = [["ada 7-0 bo", "cy 7-0 di"]]
    ranked = standings(
        rounds,
        TieBreak.PLAY_OFF,
        external=ExternalValues(play_offs=[Decision.both_lost("ada", "cy"), Decision("di", "bo")]),
    )
    assert placed(ranked) == [("ada", 1, 2), ("cy", 1, 2), ("di", 3, 3), ("bo", 4, 4)]


def test_the_lot_breaks_every_tie_and_number_1_is_the_best() -> None:
    lot = a_lot(table(ALL_FOUR_EQUAL).records)
    ranked = standings(ALL_FOUR_EQUAL, TieBreak.LOT, external=lot)
    assert [standing.steps[1].value for standing in ranked] == [1, 2, 3, 4]
    assert sorted(lot.lot.values()) == [1, 2, 3, 4]


def test_an_event_nobody_came_to_has_no_standings() -> None:
    assert rank({}, StandingRules()) == ()


@settings(max_examples=60)
@given(any_rounds(), any_counting(), st.permutations(list(TieBreak)), st.randoms(use_true_random=False))
def test_other_names_in_another_order_make_the_same_table(
    rounds: Rounds, counting: CountingRules, tie_breaks: list[TieBreak], chance: Random
) -> None:
    names = sorted(table(rounds).records)
    renamed = dict(zip(names, chance.sample(names, len(names)), strict=True))
    retold = [[rename(match, renamed) for match in matches] for matches in rounds]
    rules = StandingRules(tuple(tie_breaks), counting)
    lot = a_lot(table(rounds).records)
    other_lot = ExternalValues(lot={renamed[entry]: number for entry, number in lot.lot.items()})
    ranked = rank(table(rounds).records, rules, lot)
    renamed_ranked = rank(table(retold).records, rules, other_lot)
    assert [(renamed[e], *places) for e, *places in placed(ranked)] == [
        (e, *places) for e, *places in placed(renamed_ranked)
    ]
    assert [standing.steps for standing in ranked] == [standing.steps for standing in renamed_ranked]


def rename(match: str, renamed: dict[str, str]) -> str:
    entry, won, lost, word, opponent = parse_match(match)
    return f"{renamed[entry]} {word or f'{won}-{lost}'} {renamed.get(opponent, '')}".strip()


@settings(max_examples=60)
@given(any_rounds(), any_counting(), st.lists(st.sampled_from(list(TieBreak)), unique=True))
def test_places_follow_the_values(
    rounds: Rounds, counting: CountingRules, tie_breaks: list[TieBreak]
) -> None:
    records = table(rounds).records
    ranked = rank(records, StandingRules(tuple(tie_breaks), counting), a_lot(records))
    assert {standing.entry for standing in ranked} == set(records)
    for place, standing in enumerate(ranked, 1):
        assert standing.place_from <= place <= standing.place_to
        assert sum(s.place_from == standing.place_from for s in ranked) == (
            standing.place_to - standing.place_from + 1
        )
    for above, below in pairwise(ranked):
        parted = deciding_tie_break(above, below)
        assert (parted is None) == (above.place_from == below.place_from)
        if parted is not None:
            assert_parted_at(parted, above.steps, below.steps)


def assert_parted_at(
    parted: TieBreak, above: tuple[RankingStep, ...], below: tuple[RankingStep, ...]
) -> None:
    for step, step_below in zip(above, below, strict=True):
        assert step.among == step_below.among > 1
        if step.value != step_below.value:
            assert step.tie_break is parted
            assert step.decided
            assert step_below.decided
            assert step.value is not None
            assert step_below.value is not None
            least_is_best = parted in (TieBreak.LOT, TieBreak.PERFORMANCE_RATING, TieBreak.LOSSES)
            assert (step.value < step_below.value) == least_is_best
            return
