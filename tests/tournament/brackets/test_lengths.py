"""Match lengths by bracket: the title's final is the longest match, and what leads to it is no longer."""

import pytest

from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.models import Round
from tournament.queries.draws.preview import draw_preview

pytestmark = pytest.mark.django_db


def by_round(made, bracket: str) -> list[int]:
    rows = Round.objects.filter(bracket__tournament=made, bracket__key=bracket).order_by("number")
    return list(rows.values_list("length", flat=True))


@pytest.mark.parametrize("entries", [2, 11])
@pytest.mark.parametrize("reset", [False, True])
def test_the_final_length_of_the_setup_applies_to_the_title_match(entries, reset):
    preset = FORMAT_PRESETS["double"]
    more = {"lengths": preset.lengths, "side_lengths": preset.side_lengths}
    made = stories.drawn(stories.director(), entries, format=Format(Kind.DOUBLE, reset=reset), **more)
    assert by_round(made, "final") == [9] * (1 + reset)
    assert set(by_round(made, "main")) == {7}
    assert all(length <= 7 for length in by_round(made, "lower"))


def test_lengths_of_both_brackets_count_from_the_final():
    made = stories.drawn(stories.director(), 8, lengths=(11, 9, 7, 5), format=Format(Kind.DOUBLE, reset=True))
    assert by_round(made, "main") == [5, 7, 9]
    assert by_round(made, "lower") == [5, 5, 7, 9]
    assert by_round(made, "final") == [11, 11]


def test_the_final_may_have_a_length_of_its_own():
    more = {"lengths": (9, 7), "side_lengths": {"final": (13,)}}
    made = stories.drawn(stories.director(), 8, format=Format(Kind.DOUBLE), **more)
    assert (by_round(made, "main"), by_round(made, "final")) == ([7, 7, 9], [13])


def test_the_draw_page_shows_the_drawn_lengths():
    made = stories.entered(stories.director(), 6, lengths=(9, 3), format=Format(Kind.DOUBLE, reset=True))
    lengths = [(row.bracket, row.length) for row in draw_preview(made).rounds]
    assert {length for bracket, length in lengths if bracket == "final"} == {9}
    assert {length for bracket, length in lengths if bracket != "final"} == {3}


@pytest.mark.parametrize(("side_lengths", "group_length"), [({}, 7), ({"group": (5,)}, 5)])
def test_only_the_play_off_counts_back_from_the_final(side_lengths, group_length):
    owner = stories.director()
    more = {"lengths": (11, 9, 7), "side_lengths": side_lengths, "format": Format(Kind.GROUPS)}
    made = stories.tournament(owner, **more)
    stories.draw_and_release(made, owner, 13)
    previewed = {row.length for row in draw_preview(made).rounds if row.bracket == "group"}
    groups = [by_round(made, f"group {number}") for number in range(1, 5)]
    assert {length for lengths in groups for length in lengths} == previewed == {group_length}
    assert by_round(made, "play-off") == [7, 9, 11]
