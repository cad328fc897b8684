"""Brackets and lists divided into slides: each pairing is shown once, and every slide is readable."""

import random
import uuid
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView, SeatView
from tournament.queries.screens.slide_parts import (
    BEGUN_STATES,
    MOST_FINAL_PAIRINGS,
    MOST_FINAL_ROUNDS,
    MOST_LINES,
    PLAYABLE_STATES,
    FinalRounds,
    bracket_slides,
    split_evenly,
)
from tournament.screens.plan import (
    LONGEST_SECONDS,
    LONGEST_TURN,
    SHORTEST_READING,
    SHORTEST_SECONDS,
    fit_into_turn,
)

STATES = ("waiting", "ready", "playing", "reported", "disputed", "decided", "bye")
WIDTHS = st.one_of(
    st.integers(0, 7).map(lambda power: [2**back for back in range(power, -1, -1)]),
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
)


def seat(state: str, *, is_there: bool) -> SeatView:
    return SeatView(entry_id=uuid.uuid4(), name="A") if is_there and state != "bye" else SeatView()


def pairing(chance: random.Random, number: int, line: int) -> PairingView:
    state = chance.choice(STATES)
    is_known = state not in ("waiting", "bye")
    return PairingView(
        id=1000 * number + line, number=1, called="1", round=number, line=line,
        left=seat(state, is_there=is_known or chance.random() < 0.5), right=seat(state, is_there=is_known),
        length=7, state=state, how="", is_crawford=False, is_second_final=False, match_id=None,
    )  # fmt: skip


@st.composite
def brackets(draw) -> BracketView:
    chance = random.Random(draw(st.integers(0, 10_000)))
    rounds = tuple(
        RoundView(number, number, "", 7, tuple(pairing(chance, number, line) for line in range(width)))
        for number, width in enumerate(draw(WIDTHS), start=1)
    )
    return BracketView(uuid.uuid4(), "main", draw(st.sampled_from(["tree", "table"])), 1, "1", True, rounds)


@given(brackets())
def test_pairings_of_the_current_round_are_on_one_slide(bracket):
    counts = Counter()
    for part in bracket_slides(bracket):
        pairings = (
            [pairing for two in part.rounds for pairing in two.pairings]
            if isinstance(part, FinalRounds)
            else part.pairings
        )
        counts.update(pairing.id for pairing in pairings)
    every = [pairing for round_view in bracket.rounds for pairing in round_view.pairings]
    open_to_play = [pairing for pairing in every if pairing.state in PLAYABLE_STATES]
    wanted = [
        pairing.id
        for pairing in open_to_play
        if not bracket.is_table or pairing.state in BEGUN_STATES or pairing.round == open_to_play[0].round
    ]
    assert [pk for pk in wanted if counts[pk] != 1] == []
    assert set(counts.values()) <= {1}


@given(brackets())
def test_no_slide_exceeds_the_readable_length(bracket):
    for part in bracket_slides(bracket):
        if isinstance(part, FinalRounds):
            assert len(part.rounds) <= MOST_FINAL_ROUNDS
            assert len(part.rounds[0].pairings) <= MOST_FINAL_PAIRINGS
        else:
            assert 1 <= len(part.pairings) <= MOST_LINES
            assert all(pairing.state != "bye" for pairing in part.pairings)


@given(st.lists(st.integers(), max_size=200), st.integers(1, 30))
def test_slide_parts_keep_the_order_and_have_equal_lengths(lines, most):
    parts = split_evenly(lines, most)
    assert [line for part in parts for line in part] == lines
    assert not parts or max(map(len, parts)) <= most
    assert not parts or max(map(len, parts)) - min(map(len, parts)) <= 1


@given(st.lists(st.integers(SHORTEST_SECONDS, LONGEST_SECONDS), max_size=40))
def test_a_turn_of_few_slides_takes_at_most_ninety_seconds(seconds):
    fitted = fit_into_turn(seconds)
    if sum(seconds) <= LONGEST_TURN:
        assert fitted == seconds
    assert all(
        min(before, SHORTEST_READING) <= after <= before
        for before, after in zip(seconds, fitted, strict=True)
    )
    if len(set(seconds)) == 1 and len(seconds) <= LONGEST_TURN // SHORTEST_READING:
        assert sum(fitted) <= LONGEST_TURN
