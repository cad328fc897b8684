"""The supervisor with parts of a few lines: order, restarts, the second Ctrl-C, nothing left behind."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from deploy.supervisor import Part, Plan

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
NOTE = "import sys, time; print(time.monotonic(), file=open(sys.argv[1], 'a'), flush=True); "
DEAF = "import signal; [signal.signal(s, signal.SIG_IGN) for s in (signal.SIGTERM, signal.SIGINT)]; "


class Run:
    """A supervisor over parts that note when they start."""

    def __init__(self, folder: Path, parts: list[Part], **plan: Any) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deploy.supervisor"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=self.log.open("w"), stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(Plan(parts, **plan).as_json().encode())
        self.process.stdin.close()

    def starts(self, name: str) -> int:
        note = self.folder / name
        return note.read_text().count("\n") if note.exists() else 0

    def until_started(self, name: str, times: int = 1) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.starts(name) < times:
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)

    def family(self) -> list[psutil.Process]:
        return list(psutil.Process(self.process.pid).children(recursive=True))

    def end(self, sign: signal.Signals = signal.SIGTERM) -> str:
        self.process.send_signal(sign)
        self.process.wait(PATIENCE)
        return self.log.read_text()


def part(folder: Path, name: str, code: str = "time.sleep(600)", **options: Any) -> Part:
    return Part(name, [sys.executable, "-c", NOTE + code, str(folder / name)], **options)


def gone(family: list[psutil.Process]) -> bool:
    _ended, alive = psutil.wait_procs(family, timeout=PATIENCE)
    return not alive


@pytest.fixture
def run(tmp_path) -> Iterator[Any]:
    started: list[Run] = []

    def start(*parts: Part, **plan: Any) -> Run:
        started.append(Run(tmp_path, list(parts), **plan))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()


def test_a_part_that_keeps_dying_is_started_less_and_less_often(run, tmp_path):
    running = run(part(tmp_path, "weak", "sys.exit(3)"), part(tmp_path, "strong"))
    running.until_started("weak", 4)
    said = running.end()
    waits = [
        line.rsplit(" ", 2)[1] for line in said.splitlines() if line.startswith("The weak ended with code 3")
    ]
    assert waits[:3] == ["0.4", "0.8", "1.6"]
    assert running.starts("strong") == 1


def test_parts_of_a_later_stage_start_after_and_end_before(run, tmp_path):
    code = "import signal; signal.signal(signal.SIGTERM, lambda *_: (print(sys.argv[1][-1], flush=True), sys.exit())); "
    ready = str(tmp_path / "1")
    first = part(tmp_path, "1", code + "time.sleep(600)", stage=0, ready_file=ready)
    running = run(part(tmp_path, "2", code + "time.sleep(600)", stage=1), first)
    running.until_started("2")
    noted = [float((tmp_path / name).read_text()) for name in ("1", "2")]
    assert noted == sorted(noted)
    said = running.end()
    assert [line for line in said.splitlines() if line in ("1", "2")] == ["2", "1"]
    assert running.process.returncode == 0


def test_a_part_that_does_not_listen_is_stopped_in_the_end(run, tmp_path):
    running = run(part(tmp_path, "deaf", DEAF + "time.sleep(600)", patience=0.3))
    running.until_started("deaf")
    time.sleep(0.3)
    family = running.family()
    assert "did not end in" in running.end()
    assert gone(family)


def test_the_second_ctrl_c_ends_everything_at_once(run, tmp_path):
    running = run(part(tmp_path, "deaf", DEAF + "print('deaf', flush=True); time.sleep(600)", patience=600))
    running.until_started("deaf")
    while "deaf" not in running.log.read_text():
        time.sleep(0.02)
    running.process.send_signal(signal.SIGINT)
    while "Ending" not in running.log.read_text():
        time.sleep(0.02)
    running.end(signal.SIGINT)
    assert running.process.returncode == 0


def test_the_children_of_a_part_that_was_killed_go_with_it(run, tmp_path):
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    brood = f"import subprocess; {child}; time.sleep(600)"
    running = run(part(tmp_path, "parent", brood))
    running.until_started("parent")
    while len(running.family()) < 2:
        time.sleep(0.02)
    family = running.family()
    family[0].kill()
    assert gone(family)
    running.until_started("parent", 2)


def test_folders_that_only_the_running_parts_needed_are_removed(run, tmp_path):
    (tmp_path / "sockets").mkdir()
    running = run(part(tmp_path, "one"), remove=[str(tmp_path / "sockets")])
    running.until_started("one")
    assert "Everything has ended; the data is kept." in running.end()
    assert not (tmp_path / "sockets").exists()


def test_a_part_whose_program_is_missing_does_not_take_the_others_along(run, tmp_path):
    running = run(Part("lost", [str(tmp_path / "nothing")]), part(tmp_path, "one"))
    running.until_started("one")
    while "The lost ended" not in running.log.read_text():
        time.sleep(0.02)
    assert running.starts("one") == 1
