"""The benches: figures that say what was measured, and a run of the real thing, short."""

import json
import os
import subprocess
import sys

import pytest

from deploy.bench.figures import Figures
from deploy.bench.report import Told, as_text
from deploy.loose_parts import ROOT
from tests import servers


def test_figures_of_a_series():
    figures = Figures.of([number / 1000 for number in range(1, 102)])
    assert (figures.count, figures.p50, figures.p10, figures.p90) == (101, 51.0, 11.0, 91.0)
    assert (figures.p99, figures.longest) == (100.0, 101.0)


def test_a_series_of_nothing_has_no_figures():
    with pytest.raises(ValueError, match="Nothing was measured"):
        Figures.of([])


def test_what_could_not_be_measured_is_said_plainly():
    told = Told("A machine", "2026-11-21", missing={"postgresql": "There are no binaries."})
    assert as_text(told).endswith("Not measured on postgresql: There are no binaries.")
    assert told.as_json()["not_measured"] == {"postgresql": "There are no binaries."}


def test_the_flow_of_a_result_is_measured_on_the_database_of_this_run(tmp_path):
    kind = "sqlite" if servers.uses_sqlite() else "postgresql"
    figures = tmp_path / "figures.json"
    done = subprocess.run(
        [
            sys.executable,
            "manage.py",
            "bench",
            "flow",
            "--samples",
            "3",
            "--database",
            kind,
            "--json",
            figures,
        ],
        cwd=ROOT,
        env={**os.environ, "SELF_SETUP": "off", "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Marks:" in done.stdout, done.stdout
    told = json.loads(figures.read_text())
    (measured,) = told["databases"].values()
    assert measured["told"]["count"] == 3
    assert measured["accepted"]["p50"] < measured["shown"]["p50"]
    assert told["not_measured"] == {}
