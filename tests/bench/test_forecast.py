"""The bench of forecasts, with few events."""

import json
from io import StringIO

import pytest

from tests.bench.forecast.accuracy import as_text, measure


def test_the_bench_of_forecasts_reports_how_often_they_came_true():
    report = measure(7, StringIO(), timed=1, trials=20)
    everything, *parts = report.lines
    assert everything.forecasts == 28 == sum(line.forecasts for line in parts if "way" in line.name)
    assert everything.came_true + everything.earlier + everything.later == pytest.approx(1)
    assert "64 entries, 20 tables" in as_text(report)
    assert json.loads(json.dumps(report.as_json()))["came_true"][0]["forecasts"] == 28
    assert sum(line.name.startswith("each") for line in parts) == 4
