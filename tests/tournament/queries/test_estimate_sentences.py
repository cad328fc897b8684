"""The sentences about a layout before the draw."""

import pytest

from tournament.draw.recipes.drops.report import LayoutReport
from tournament.queries.draws.prospect_labels import layout_notes


@pytest.mark.parametrize(("rounds", "is_warning"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_wait_of_more_than_a_round_is_a_warning(rounds: int, is_warning: bool) -> None:
    _, wait, *_ = layout_notes(LayoutReport(matches=(4, 2, 1), longest_wait=rounds))
    assert wait.is_warning is is_warning
