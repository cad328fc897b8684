"""Estimates of formats before the draw."""

import pytest

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import estimate_format
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.pairing import Stop


def rounds(chosen: Format, entries: int) -> list[tuple[str, int, int]]:
    return [
        (round_.bracket, round_.number, round_.matches) for round_ in estimate_format(chosen, entries).rounds
    ]


@pytest.mark.parametrize("key", FORMAT_PRESETS)
@pytest.mark.parametrize("entries", [8, 13, 32])
def test_every_preset_can_be_estimated(key: str, entries: int) -> None:
    estimate = estimate_format(FORMAT_PRESETS[key].format, entries)
    assert estimate.refusal is None
    assert estimate.matches > 0
    assert estimate.rounds_of_play > 0 or FORMAT_PRESETS[key].format.kind == Kind.LIVES


def test_thirty_two_with_these_drops_play_sixty_matches_in_seven_rounds() -> None:
    estimate = estimate_format(Format(consolation="A.B.C.D.|.|"), 32)
    assert estimate.matches == 60
    assert estimate.report is not None
    assert sorted(estimate.report.matches, reverse=True) == [16, 16, 12, 8, 5, 2, 1]


def test_byes_are_counted_apart_from_matches() -> None:
    estimate = estimate_format(Format(), 11)
    assert (estimate.byes, estimate.rounds_of_play, estimate.matches) == (5, 4, 10)
    assert rounds(Format(), 11)[0] == ("main", 1, 3)


def test_groups_play_at_the_same_time_and_the_play_off_after_them() -> None:
    estimate = estimate_format(Format(kind=Kind.GROUPS, groups=4, qualifiers=2), 16)
    assert estimate.rounds_of_play == 3 + 3
    assert [round_.matches for round_ in estimate.rounds] == [8, 8, 8, 4, 2, 1]
    assert [preview.bracket for preview in estimate.previews] == ["play-off"]


def test_sitting_out_in_a_group_is_no_bye() -> None:
    assert estimate_format(Format(kind=Kind.GROUPS, groups=4, qualifiers=2), 13).byes == 0


def test_a_swiss_plays_its_rounds_and_one_sits_out_of_an_odd_number() -> None:
    estimate = estimate_format(Format(kind=Kind.SWISS, rounds=5), 9)
    assert (estimate.rounds_of_play, estimate.byes) == (5, 1)
    assert [round_.matches for round_ in estimate.rounds] == [4] * 5


def test_nobody_knows_how_long_an_event_with_lives_takes_unless_it_stops() -> None:
    assert estimate_format(Format(kind=Kind.LIVES), 10).rounds_of_play == 0
    assert estimate_format(Format(kind=Kind.LIVES, stop=Stop.ROUNDS, rounds=6), 10).rounds_of_play == 6


def test_a_second_final_and_a_bracket_that_leads_on_are_reported() -> None:
    estimate = estimate_format(Format(kind=Kind.DOUBLE, reset=True), 8)
    assert estimate.brackets_played_again == {"final"}
    assert estimate.brackets_leading_on == {"main", "lower"}


def test_drops_that_do_not_come_out_are_refused_in_a_sentence() -> None:
    estimate = estimate_format(Format(consolation="A"), 32)
    assert "Add rounds with |" in str(estimate.refusal)
    assert estimate.rounds == ()


def test_a_large_layout_has_no_preview() -> None:
    assert estimate_format(Format(), 64).previews
    assert not estimate_format(Format(), 65).previews
