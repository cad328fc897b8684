"""The bench of reading, small: every figure is there, everybody was told, and marks are held against what is right."""

import asyncio
import json
from dataclasses import asdict
from urllib.parse import urlsplit

from deploy.bench.figures import Figures
from deploy.bench.grounds import Ground
from deploy.bench.onlookers import Crowd, Seen
from deploy.bench.reading import reading
from deploy.bench.reading.marks import IDLE, MARKS, TRIAL, Rates
from deploy.bench.reading.stand import Stand


def test_pages_streams_and_memory_are_measured_on_a_stage(stage):
    said: list[str] = []
    told = reading(Ground(stage, "a stage", stage.broker), TRIAL, said.append)
    assert said == ["public pages of 16 entries", "10 live streams"]
    assert told["page 200, a second, 16 entries"].p50 > 0
    assert told["page 304, a second, 16 entries"].p50 > 0
    assert told["first view after a change, 16 entries"].count == 2
    assert told["told to 10 streams"].count == 30
    assert told["4 results at once, seen by 10"].count == 40
    assert (told["never told to 10 streams"], told["4 results at once, never seen"]) == (0, 0)


def test_onlookers_ask_for_what_they_were_told_of(stage):
    ground = Ground(stage, "a stage", stage.broker)
    with stage.database():
        stand = Stand.of(ground, 2)
    address = urlsplit(stage.url)
    place = str(address.hostname), address.port, str(stand.bracket.pk), f"{stand.page}fragment/"

    async def looking_on() -> Seen:
        crowd = Crowd(*place)
        await crowd.come(3)
        stand.tell(7)
        async with asyncio.timeout(30):
            while len(crowd.seen.shown) < 3:
                await asyncio.sleep(0.02)
        await crowd.go()
        return crowd.seen

    seen = Seen(**json.loads(json.dumps(asdict(asyncio.run(looking_on())))))
    assert [versions for versions, _ in seen.told] == [[7]] * 3
    assert (seen.answers, seen.broken) == ({"200": 3}, 0)


def test_marks_of_reading_are_missed_by_what_is_too_few_or_too_late_or_too_much():
    late = Figures.of([0.010] * 90 + [0.200] * 10)
    few, many = (Rates.a_second([count] * 3, 0.1) for count in (399, 400))
    assert [mark.is_met(late) for mark in MARKS["told to 1000 streams"]] == [True, False]
    (mark,) = MARKS["page 200, a second, 64 entries"]
    assert (mark.is_met(few), mark.is_met(many)) == (False, True)
    for name, most in ((IDLE, 300.0), ("64 results at once, never seen", 0.0)):
        (mark,) = MARKS[name]
        assert (mark.is_met(most), mark.is_met(most + 1)) == (True, False)
    assert str(many) == "median  4,000 a second   (p10 4,000, p90 4,000; 3 tenths of a second)"
