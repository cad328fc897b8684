"""Spectators by the thousand: who they are and what they saw. They live in a process of their own (`onlookers`)."""

import json
import select
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import Self
from urllib.parse import urlsplit

from deploy.bench.onlookers import Seen
from deploy.loose_parts import ROOT

SECONDS_TO_GATHER = 60.0


class Crowd:
    """So many live streams of one bracket, open within the block or until somebody asks what was seen. With a page,
    each spectator also fetches it whenever it is told of a change."""

    def __init__(self, url: str, bracket: str, many: int, page: str = "") -> None:
        address = urlsplit(url)
        self._many = many
        self._what = [str(address.hostname), str(address.port), bracket, str(many), *([page] if page else [])]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "deploy.bench.onlookers", *self._what],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        words = self._process.stdout
        if words is None or not select.select([words], [], [], SECONDS_TO_GATHER)[0] or not words.readline():
            self._process.kill()
            self._process.communicate()
            raise TimeoutError(f"Not all of {self._many} spectators could open a stream.")
        return self

    def __exit__(self, *_what: object) -> None:
        if self._process.poll() is None:
            _ = self.saw

    @cached_property
    def saw(self) -> Seen:
        """Everything; they leave when this is asked."""
        told, _ = self._process.communicate()
        return Seen(**json.loads(told))

    def seen(self, results: Iterable[tuple[float, int]]) -> list[float]:
        """For each result (its moment by `time.perf_counter`, the version that shows it) and each spectator, the
        seconds until they were told of that version or a later one; nothing for one who never was."""
        return [
            moments[place] - began
            for began, version in results
            for versions, moments in self.saw.told
            if (place := bisect_left(versions, version)) < len(versions)
        ]
