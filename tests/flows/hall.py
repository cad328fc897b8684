"""A drawn event on a stage, with phones and a sign-in link for its director."""

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from deploy.bench.faults.event import DrawnEvent
from deploy.bench.faults.phones import (
    GIVE_UP_SECONDS,
    OpenMatch,
    Phone,
    PhoneLog,
    game_row,
    open_match,
    open_matches,
    pairings_json,
)
from tests.flows.stage import Stage
from tests.tournament import stories
from tournament.accounts import links
from tournament.rehearsal.wire import Wire

__all__ = ["Hall", "OpenMatch", "Phone", "PhoneLog", "game_row", "open_hall", "open_match", "pairings_json"]

POLL_SECONDS = 0.05


@dataclass
class Hall(DrawnEvent):
    """`decided` counts the matches that `play_out` has reported."""

    sign_in_link: str = ""
    decided: int = 0

    def phone(self, entry: uuid.UUID) -> Phone:
        return Phone(self.site.url, self.tokens[entry], self.log)

    def open_matches(self) -> list[OpenMatch]:
        return open_matches(Wire(self.site.url).get(self.bracket_path))

    def play(self, match: OpenMatch) -> None:
        """The left player's phone enters every game, the right player's confirms."""
        tail = self.phone(match.left).enter(match.match, self.games_of(match))
        self.phone(match.right).confirm(match.match, tail)
        self.log.winners[match.match] = self.winner_of(match)

    def play_out(self, clients: int, after_each: Callable[[int], None]) -> None:
        """Plays every match of the bracket in `clients` threads.

        Calls `after_each` in the calling thread with the number of decided matches.
        """
        with ThreadPoolExecutor(clients) as threads:
            playing: set[Future[None]] = set()
            for match in self._opening_matches():
                if match:
                    playing.add(threads.submit(self.play, match))
                if not playing:
                    time.sleep(POLL_SECONDS)
                timeout = 0 if match else POLL_SECONDS if len(playing) <= clients else None
                done, playing = wait(playing, timeout, FIRST_COMPLETED)
                for future in done:
                    future.result()
                    self.decided += 1
                    after_each(self.decided)

    def _opening_matches(self) -> Iterator[OpenMatch | None]:
        """Yields each match once when it opens, and None after each request, until the last is decided."""
        page, opened = Wire(self.site.url), set[str]()
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while self.decided < len(self.tokens) - 1:
            if time.monotonic() > deadline:
                raise TimeoutError(f"only {len(opened)} matches have opened")
            for pairing in pairings_json(page.get(self.bracket_path)):
                if pairing["match_id"] and pairing["match_id"] not in opened:
                    opened.add(pairing["match_id"])
                    yield open_match(pairing)
            yield None


def open_hall(stage: Stage, entries: int, length: int = 3) -> Hall:
    """Draws and releases a tournament with `entries` players, each with a phone."""
    with stage.database():
        director = stories.director()
        tournament = stories.released(director, entries, lengths=(length,))
        tokens = links.make_links(list(tournament.entries.all()), director)
        sign_in_link = links.make_sign_in_link(tournament.event.memberships.get().user)
    return Hall(
        stage, tournament, {entry.pk: token for entry, token in tokens.items()}, sign_in_link=sign_in_link
    )
