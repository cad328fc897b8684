"""What `bench fuzz` tells: how much was sent, and every complaint once with the first request that met it."""

from tests.bench.fuzz.report import Told, as_text
from tests.bench.fuzz.sending import Run


def test_a_complaint_is_told_once_with_its_first_request():
    done = Run(seed=7, seconds=60, events=1)
    done.note(200, [], "owner: GET /", "GET /")
    for asked in ("owner: POST /x", "desk: POST /x"):
        done.note(500, ["Server error"], asked, "POST /x")
    told = Told("A machine", runs={"SQLite": done}, logs={"SQLite": []}, missing={"postgresql": "None here."})
    text = as_text(told)
    assert "3 requests in 60 s, 1 events (seed 7)" in text
    assert "2 x POST /x: Server error\n      owner: POST /x" in text
    assert "MISSED" in text
    assert text.endswith("Not run on postgresql: None here.")
    assert told.as_json()["databases"]["SQLite"]["wrong"][0]["times"] == 2


def test_without_complaints_it_says_so():
    told = Told("A machine", runs={"SQLite": Run(seed=7)}, logs={"SQLite": []})
    assert as_text(told).endswith("Nothing to complain of.")
