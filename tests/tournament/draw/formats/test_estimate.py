"""What a format comes to, told before anybody is drawn."""

import pytest

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import prospect
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.pairing import Stop


def rounds(chosen: Format, entries: int) -> list[tuple[str, int, int]]:
    return [(one.bracket, one.number, one.matches) for one in prospect(chosen, entries).rounds]


@pytest.mark.parametrize("key", FORMAT_PRESETS)
@pytest.mark.parametrize("entries", [8, 13, 32])
def test_every_preset_can_be_looked_at(key: str, entries: int) -> None:
    seen = prospect(FORMAT_PRESETS[key].format, entries)
    assert seen.why_not == ""
    assert seen.matches > 0
    assert seen.in_all > 0 or FORMAT_PRESETS[key].format.kind == Kind.LIVES


def test_thirty_two_with_these_drops_play_sixty_matches_in_seven_rounds() -> None:
    seen = prospect(Format(consolation="A.B.C.D.|.|"), 32)
    assert seen.matches == 60
    assert seen.report is not None
    assert sorted(seen.report.matches, reverse=True) == [16, 16, 12, 8, 5, 2, 1]


def test_byes_are_counted_apart_from_matches() -> None:
    seen = prospect(Format(), 11)
    assert (seen.byes, seen.in_all, seen.matches) == (5, 4, 10)
    assert rounds(Format(), 11)[0] == ("main", 1, 3)


def test_groups_play_at_the_same_time_and_the_play_off_after_them() -> None:
    seen = prospect(Format(kind=Kind.GROUPS, groups=4, qualifiers=2), 16)
    assert seen.in_all == 3 + 3
    assert [one.matches for one in seen.rounds] == [8, 8, 8, 4, 2, 1]
    assert [one.bracket for one in seen.pictured] == ["play-off"]


def test_sitting_out_in_a_group_is_no_bye() -> None:
    assert prospect(Format(kind=Kind.GROUPS, groups=4, qualifiers=2), 13).byes == 0


def test_a_swiss_plays_its_rounds_and_one_sits_out_of_an_odd_number() -> None:
    seen = prospect(Format(kind=Kind.SWISS, rounds=5), 9)
    assert (seen.in_all, seen.byes, [one.matches for one in seen.rounds]) == (5, 1, [4] * 5)


def test_nobody_knows_how_long_an_event_with_lives_takes_unless_it_stops() -> None:
    assert prospect(Format(kind=Kind.LIVES), 10).in_all == 0
    assert prospect(Format(kind=Kind.LIVES, stop=Stop.ROUNDS, rounds=6), 10).in_all == 6


def test_a_second_final_and_a_bracket_that_leads_on_are_told() -> None:
    seen = prospect(Format(kind=Kind.DOUBLE, reset=True), 8)
    assert seen.plays_again == {"final"}
    assert seen.leads_on == {"main", "lower"}


def test_drops_that_do_not_come_out_are_refused_in_a_sentence() -> None:
    seen = prospect(Format(consolation="A"), 32)
    assert "Add rounds with |" in seen.why_not
    assert seen.rounds == ()


def test_a_large_layout_is_told_without_a_picture() -> None:
    assert prospect(Format(), 64).pictured
    assert not prospect(Format(), 65).pictured
