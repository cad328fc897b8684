"""A second implementation of every tie-break from the bare list of matches, and the values of unplayed matches."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from tests.tournament.draw.standings.tables import (
    Rounds,
    any_counting,
    any_rounds,
    parse_match,
    standings,
    value,
)
from tournament.draw.standings import (
    SITTING_OUT_IS_NOTHING,
    CountingRules,
    StandIn,
    TieBreak,
    Unplayed,
)

LENGTH = 7


class MatchSide(NamedTuple):
    """One side of one match: `kind` is played, bye or walkover."""

    round: int
    own: str
    opponent: str
    won: bool
    kind: str
    points: tuple[int, int]


def both_sides(rounds: Rounds) -> Iterator[MatchSide]:
    for number, matches in enumerate(rounds, 1):
        for match in matches:
            entry, won, lost, word, opponent = parse_match(match)
            if word == "bye":
                yield MatchSide(number, entry, "", True, "bye", (0, 0))
            elif word != "?":
                kind = "walkover" if word in ("wo", "no") else "played"
                points = (int(won or 0), int(lost or 0))
                yield MatchSide(number, entry, opponent, word != "no", kind, points)
                yield MatchSide(number, opponent, entry, False, kind, points[::-1])


class Naive:
    """The definitions, word by word."""

    def __init__(self, rounds: Rounds, counting: CountingRules) -> None:
        self.sides = list(both_sides(rounds))
        self.rules = {"bye": counting.bye, "walkover": counting.walkover}
        self.last = max((side.round for side in self.sides), default=0)

    def own(self, entry: str) -> list[MatchSide]:
        return [side for side in self.sides if side.own == entry]

    def counts(self, side: MatchSide) -> bool:
        return side.won and (side.kind == "played" or self.rules[side.kind].wins)

    def score(self, entry: str, until: int = 99) -> int:
        return sum(self.counts(side) for side in self.own(entry) if side.round <= until)

    def opposition(self, side: MatchSide) -> int:
        stand_in = StandIn.OPPONENT if side.kind == "played" else self.rules[side.kind].stand_in
        if stand_in is StandIn.NOTHING:
            return 0
        return self.score(side.own if stand_in is StandIn.OWN_SCORE else side.opponent)

    def scores(self, entry: str) -> list[int]:
        return sorted(self.opposition(side) for side in self.own(entry))

    def board_wins(self, entry: str) -> int:
        return sum(side.won and side.kind == "played" for side in self.own(entry))

    def credited(self, side: MatchSide) -> int:
        if side.kind == "played":
            return min(side.points[0], LENGTH) - min(side.points[1], LENGTH)
        return self.rules[side.kind].credited * (LENGTH if side.won else -LENGTH)

    def values(self, entry: str) -> dict[TieBreak, int]:
        own = self.own(entry)
        scores = self.scores(entry)
        return {
            TieBreak.SCORE: self.score(entry),
            TieBreak.BUCHHOLZ: sum(scores),
            TieBreak.MEDIAN_BUCHHOLZ: sum(scores) - max(scores) - min(scores) if len(scores) > 2 else 0,
            TieBreak.BUCHHOLZ_WITHOUT_WORST: sum(scores) - min(scores, default=0),
            TieBreak.SONNEBORN_BERGER: sum(self.opposition(side) for side in own if self.counts(side)),
            TieBreak.DEFEATED_SCORES: sum(
                self.board_wins(side.opponent) for side in own if side.won and side.kind == "played"
            ),
            TieBreak.POINTS_DIFFERENCE: sum(side.points[0] - side.points[1] for side in own),
            TieBreak.CREDITED_DIFFERENCE: sum(self.credited(side) for side in own),
            TieBreak.CUMULATIVE: sum(self.score(entry, until) for until in range(1, self.last + 1)),
        }


@settings(max_examples=80)
@given(any_rounds(), any_counting())
def test_every_value_follows_its_definition(rounds: Rounds, counting: CountingRules) -> None:
    naive = Naive(rounds, counting)
    chosen = [tie_break for tie_break in naive.values("nobody") if tie_break is not TieBreak.SCORE]
    for standing in standings(rounds, *chosen, counting=counting):
        values = {step.tie_break: step.value for step in standing.steps}
        assert values == naive.values(standing.entry)


BYE_AND_WALKOVER: Rounds = [
    ["ada bye", "bo 7-0 cy"],
    ["ada 7-0 cy", "bo wo di"],
]


@pytest.mark.parametrize(
    ("counting", "scores"),
    [
        (CountingRules(), {"ada": 2, "bo": 2, "cy": 0, "di": 0}),
        (CountingRules(bye=Unplayed(wins=False)), {"ada": 1, "bo": 2, "cy": 0, "di": 0}),
        (CountingRules(walkover=Unplayed(wins=False)), {"ada": 2, "bo": 1, "cy": 0, "di": 0}),
    ],
)
def test_a_bye_and_a_walkover_are_wins_where_the_event_says_so(
    counting: CountingRules, scores: dict[str, int]
) -> None:
    ranked = standings(BYE_AND_WALKOVER, counting=counting)
    assert {standing.entry: standing.steps[0].value for standing in ranked} == scores


@pytest.mark.parametrize(
    ("stand_in", "ada", "bo"),
    [(StandIn.NOTHING, 0, 0), (StandIn.OWN_SCORE, 2, 2)],
)
def test_sitting_out_counts_no_opponent_or_one_with_the_own_score(
    stand_in: StandIn, ada: int, bo: int
) -> None:
    unplayed = Unplayed(stand_in=stand_in)
    counting = CountingRules(bye=unplayed, walkover=unplayed)
    ranked = standings(BYE_AND_WALKOVER, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, counting=counting)
    for tie_break in (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER):
        assert (value(ranked, "ada", tie_break), value(ranked, "bo", tie_break)) == (ada, bo)


def test_a_walkover_may_count_the_opponent_who_did_not_come() -> None:
    rounds = [["ada 7-0 bo", "cy wo di"], ["di 7-0 ada", "bo wo cy"]]
    ranked = standings(rounds, TieBreak.BUCHHOLZ)
    assert value(ranked, "cy", TieBreak.BUCHHOLZ) == 1 + 1


def test_an_unplayed_match_is_credited_to_its_length_only_where_the_event_says_so() -> None:
    generous = Unplayed(credited=True)
    counting = CountingRules(bye=generous, walkover=generous)
    plain = standings(BYE_AND_WALKOVER, TieBreak.CREDITED_DIFFERENCE)
    credited = standings(BYE_AND_WALKOVER, TieBreak.CREDITED_DIFFERENCE, counting=counting)
    names = ("ada", "bo", "cy", "di")
    assert [value(plain, entry, TieBreak.CREDITED_DIFFERENCE) for entry in names] == [7, 7, -14, 0]
    assert [value(credited, entry, TieBreak.CREDITED_DIFFERENCE) for entry in names] == [14, 14, -14, -7]


def test_defeated_scores_count_played_matches_only() -> None:
    ranked = standings(
        [["ada wo bo", "cy 7-0 di"], ["bo wo ada", "cy 7-0 ed"], ["di 7-0 ed", "bo 7-0 cy"]],
        TieBreak.SONNEBORN_BERGER,
        TieBreak.DEFEATED_SCORES,
    )
    assert value(ranked, "bo", TieBreak.SONNEBORN_BERGER) == 3
    assert value(ranked, "bo", TieBreak.DEFEATED_SCORES) == 2
    assert value(ranked, "ada", TieBreak.SONNEBORN_BERGER) == 2
    assert value(ranked, "ada", TieBreak.DEFEATED_SCORES) == 0


def test_a_walkover_is_a_meeting_only_where_it_is_a_win() -> None:
    rounds = [["ada wo bo", "cy 7-0 di"], ["bo 7-0 cy", "di bye"]]
    as_met = standings(rounds, TieBreak.HEAD_TO_HEAD)
    assert value(as_met, "ada", TieBreak.HEAD_TO_HEAD) is None
    pair = [["ada wo bo"], ["bo 7-0 cy", "ada bye"], ["bo bye"]]
    one_win_each = CountingRules(bye=Unplayed(wins=False))
    assert (
        value(standings(pair, TieBreak.HEAD_TO_HEAD, counting=one_win_each), "ada", TieBreak.HEAD_TO_HEAD)
        == 1
    )
    nothing = CountingRules(walkover=Unplayed(wins=False))
    met_nobody = [["ada wo bo"]]
    assert (
        value(standings(met_nobody, TieBreak.HEAD_TO_HEAD, counting=nothing), "ada", TieBreak.HEAD_TO_HEAD)
        is None
    )


def test_in_a_whole_round_robin_of_an_odd_number_sitting_out_is_nothing() -> None:
    rounds = [["bo 7-0 cy", "ada bye"], ["ada 7-0 cy", "bo bye"], ["ada 7-0 bo", "cy bye"]]
    ranked = standings(rounds, TieBreak.BUCHHOLZ, counting=SITTING_OUT_IS_NOTHING)
    assert [(s.entry, s.steps[0].value, s.steps[1].value) for s in ranked] == [
        ("ada", 2, 1),
        ("bo", 1, 2),
        ("cy", 0, 3),
    ]
