"""The supervisor with small processes: order, restarts, a second Ctrl-C, no process left behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from deploy.supervisor import Plan, ProcessSpec, answers

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
NOTE = "import sys, time; print(time.monotonic(), file=open(sys.argv[1], 'a'), flush=True); "
IGNORE_SIGNALS = (
    "import signal; [signal.signal(s, signal.SIG_IGN) for s in (signal.SIGTERM, signal.SIGINT)]; "
)
AT_THE_END = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: ({}, sys.exit())); "


class Run:
    """A supervisor whose processes record their starts. Its output goes to a log, or to `window`."""

    def __init__(
        self,
        folder: Path,
        specs: list[ProcessSpec],
        window: int | None = None,
        under: tuple[str, ...] = (),
        **plan: Any,
    ) -> None:
        self.folder = folder
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*under, sys.executable, "-m", "deploy.supervisor"],
                cwd=ROOT, stdin=subprocess.PIPE, stdout=log if window is None else window, stderr=subprocess.STDOUT,
            )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(Plan(specs, **plan).as_json().encode())
        self.process.stdin.close()

    def starts(self, name: str) -> int:
        note = self.folder / name
        return note.read_text().count("\n") if note.exists() else 0

    def until_started(self, name: str, times: int = 1) -> None:
        self.until(lambda: self.starts(name) >= times)

    def until_logged(self, words: str) -> None:
        self.until(lambda: words in self.log.read_text())

    def until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)

    def family(self) -> list[psutil.Process]:
        return list(psutil.Process(self.process.pid).children(recursive=True))

    def end(self, stop_signal: signal.Signals = signal.SIGTERM) -> str:
        self.process.send_signal(stop_signal)
        self.process.wait(PATIENCE)
        return self.log.read_text()


def spec(
    folder: Path, name: str, code: str = "time.sleep(600)", first: str = "", **options: Any
) -> ProcessSpec:
    """Runs `first`, then records the start, then runs `code`."""
    return ProcessSpec(name, [sys.executable, "-c", first + NOTE + code, str(folder / name)], **options)


def have_ended(family: list[psutil.Process]) -> bool:
    _ended, alive = psutil.wait_procs(family, timeout=PATIENCE)
    return not alive


@pytest.fixture
def hangup_not_ignored() -> Iterator[None]:
    """A child inherits an ignored SIGHUP, as under nohup; a handler of this process becomes its default."""
    inherited = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, inherited)


@pytest.fixture
def run(tmp_path, hangup_not_ignored) -> Iterator[Any]:
    started: list[Run] = []

    def start(*specs: ProcessSpec, **plan: Any) -> Run:
        started.append(Run(tmp_path, list(specs), **plan))
        return started[-1]

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()


def test_a_crashing_process_restarts_with_growing_delays(run, tmp_path):
    running = run(spec(tmp_path, "weak", "sys.exit(3)"), spec(tmp_path, "strong"))
    running.until_started("weak", 4)
    output = running.end()
    waits = [
        line.rsplit(" ", 2)[1]
        for line in output.splitlines()
        if line.startswith("The weak ended with code 3")
    ]
    assert waits[:3] == ["0.4", "0.8", "1.6"]
    assert running.starts("strong") == 1


def test_a_later_stage_starts_after_and_stops_before_an_earlier_one(run, tmp_path):
    words = AT_THE_END.format("print(sys.argv[1][-1], flush=True)")
    early = spec(tmp_path, "1", first=words, stage=0, ready_file=str(tmp_path / "1"))
    running = run(spec(tmp_path, "2", first=words, stage=1), early)
    running.until_started("2")
    noted = [float((tmp_path / name).read_text()) for name in ("1", "2")]
    assert noted == sorted(noted)
    output = running.end()
    assert [line for line in output.splitlines() if line in ("1", "2")] == ["2", "1"]
    assert running.process.returncode == 0


def test_a_process_that_ignores_sigterm_is_killed(run, tmp_path):
    running = run(spec(tmp_path, "deaf", first=IGNORE_SIGNALS, stop_timeout=0.3))
    running.until_started("deaf")
    family = running.family()
    assert "did not stop within" in running.end()
    assert have_ended(family)


def test_a_second_ctrl_c_kills_everything_at_once(run, tmp_path):
    running = run(spec(tmp_path, "deaf", first=IGNORE_SIGNALS, stop_timeout=600))
    running.until_started("deaf")
    running.process.send_signal(signal.SIGINT)
    running.until_logged("Stopping")
    running.end(signal.SIGINT)
    assert running.process.returncode == 0


def test_a_closed_output_does_not_prevent_a_clean_stop(run, tmp_path):
    """After the terminal or the reader of the output has closed."""
    heard, window = os.pipe()
    (tmp_path / "sockets").mkdir()
    copies = spec(tmp_path, "copies", first=AT_THE_END.format("open(sys.argv[1], 'a').write('last\\n')"))
    running = run(copies, window=window, remove=[str(tmp_path / "sockets")])
    running.until_started("copies")
    os.close(window)
    os.close(heard)
    running.end(signal.SIGINT)
    assert running.starts("copies") == 2, "it did what it had left to do"
    assert not (tmp_path / "sockets").exists()


def test_two_hangup_signals_still_allow_the_last_copy(run, tmp_path):
    """The shell and the kernel both send SIGHUP."""
    last = "__import__('time').sleep(0.5), open(sys.argv[1], 'a').write('last\\n')"
    running = run(spec(tmp_path, "copies", first=AT_THE_END.format(last)))
    running.until_started("copies")
    running.process.send_signal(signal.SIGHUP)
    running.until_logged("Stopping")
    running.end(signal.SIGHUP)
    assert running.starts("copies") == 2


def test_nohup_keeps_it_running_after_a_hangup(run, tmp_path):
    running = run(spec(tmp_path, "one"), spec(tmp_path, "mortal", "sys.exit()"), under=("nohup",))
    running.until_started("mortal")
    running.process.send_signal(signal.SIGHUP)
    running.until_started("mortal", 3)
    assert running.starts("one") == 1
    assert "Stopped." in running.end()


def test_children_of_a_killed_process_end_with_it(run, tmp_path):
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    brood = f"import subprocess; {child}; time.sleep(600)"
    running = run(spec(tmp_path, "parent", brood))
    running.until_started("parent")
    running.until(lambda: len(running.family()) >= 2)
    family = running.family()
    family[0].kill()
    assert have_ended(family)
    running.until_started("parent", 2)


def test_temporary_folders_are_removed_at_the_end(run, tmp_path):
    (tmp_path / "sockets").mkdir()
    running = run(spec(tmp_path, "one"), remove=[str(tmp_path / "sockets")])
    running.until_started("one")
    assert "Stopped. The data is kept." in running.end()
    assert not (tmp_path / "sockets").exists()


def test_a_missing_program_does_not_stop_the_others(run, tmp_path):
    running = run(ProcessSpec("lost", [str(tmp_path / "nothing")]), spec(tmp_path, "one"))
    running.until_started("one")
    running.until_logged("The lost ended")
    assert running.starts("one") == 1


@pytest.mark.parametrize(
    ("output", "is_web_server"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", True),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", True),
        (b"220 ready for mail\r\n", False),
        (b"", False),
    ],
)
def test_any_http_status_counts_as_an_answer(output, is_web_server):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        requests: list[bytes] = []

        def answer() -> None:
            client, _ = listening.accept()
            with client:
                requests.append(client.recv(1000))
                client.sendall(output)

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        port = listening.getsockname()[1]
        assert answers(f"http://127.0.0.1:{port}/reach/") == is_web_server
        answering.join(PATIENCE)
    assert requests == [b"GET /reach/ HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n" % port]


def test_a_closed_port_does_not_answer():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert not answers(f"http://127.0.0.1:{bound.getsockname()[1]}/reach/")
