"""The bench of forecasts, with few events."""

import json
from io import StringIO

import pytest

from tests.bench.forecast.report import as_text, forecasts_told


def test_the_bench_of_forecasts_tells_how_often_they_came_true():
    told = forecasts_told(7, StringIO(), timed=1, trials=20)
    everything, *parts = told.lines
    assert everything.forecasts == 28 == sum(one.forecasts for one in parts if "way" in one.name)
    assert everything.came_true + everything.earlier + everything.later == pytest.approx(1)
    assert "64 entries, 20 tables" in as_text(told)
    assert json.loads(json.dumps(told.as_json()))["came_true"][0]["forecasts"] == 28
    assert sum(one.name.startswith("each") for one in parts) == 4
