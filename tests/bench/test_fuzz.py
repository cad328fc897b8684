"""The report of `tests.bench fuzz`."""

from tests.bench.fuzz.report import FuzzReport, Run, as_text


def test_a_complaint_is_reported_once_with_its_first_request():
    run = Run(seed=7, seconds=60, events=1)
    run.add(200, [], "owner: GET /", "GET /")
    for request in ("owner: POST /x", "desk: POST /x"):
        run.add(500, ["Server error"], request, "POST /x")
    report = FuzzReport(
        "A machine", runs={"SQLite": run}, logs={"SQLite": []}, missing={"postgresql": "None here."}
    )
    text = as_text(report)
    assert "3 requests in 60 s, 1 events (seed 7)" in text
    assert "2 x POST /x: Server error\n      owner: POST /x" in text
    assert "MISSED" in text
    assert text.endswith("Not run on postgresql: None here.")
    assert report.as_json()["databases"]["SQLite"]["wrong"][0]["times"] == 2


def test_a_run_without_complaints_is_reported_as_such():
    report = FuzzReport("A machine", runs={"SQLite": Run(seed=7)}, logs={"SQLite": []})
    assert as_text(report).endswith("No complaints.")
