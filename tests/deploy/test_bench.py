"""The benches: figures that say what was measured, and a run of the real thing, short."""

from io import StringIO

import pytest

from deploy.bench.figures import Figures
from deploy.bench.formats import stored
from deploy.bench.formats.measures import TRIAL, Measure
from deploy.bench.formats.told import FormatsTold, formats_told
from deploy.bench.formats.told import as_text as formats_as_text


def test_figures_of_a_series():
    figures = Figures.of([number / 1000 for number in range(1, 102)])
    assert (figures.count, figures.p50, figures.p10, figures.p90) == (101, 51.0, 11.0, 91.0)
    assert (figures.p99, figures.longest) == (100.0, 101.0)


def test_a_series_of_nothing_has_no_figures():
    with pytest.raises(ValueError, match="Nothing was measured"):
        Figures.of([])


def test_a_mark_is_met_or_missed_by_the_median_or_by_a_ratio():
    figures = Figures.of([0.010, 0.020, 0.090])
    assert Measure("a draw", figures, mark=20.0).is_met
    assert not Measure("a draw", figures, mark=19.0).is_met
    assert Measure("a draw", figures).is_met is None
    assert not Measure("an advance at 1,024", ratio=1.6, most=1.5).is_met


def test_a_missed_mark_is_named_at_the_end():
    told = FormatsTold("A machine", "2026-11-21", {"In memory": [Measure("a draw", Figures.of([1.0]), 15.0)]})
    assert formats_as_text(told).endswith("Marks MISSED: a draw")


def test_formats_are_measured_in_memory():
    told = formats_told((), TRIAL, StringIO())
    (measures,) = told.measures.values()
    assert all(one.ratio or (one.figures and one.figures.p50 > 0) for one in measures)
    assert {one.is_met for one in measures} == {None}
    assert told.missed == []


@pytest.mark.django_db
def test_formats_are_measured_stored():
    whats = [one.what for one in stored.measured(TRIAL) if one.figures and one.figures.p50 > 0]
    assert "draw of 32, double elimination" in whats
    assert "preview of a correction in round 1 of 32" in whats
    assert "a Swiss round of 16, paired and kept" in whats
