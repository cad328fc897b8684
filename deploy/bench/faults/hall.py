"""A drawn event and a phone for each of its players."""

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from deploy.bench.drawn import drawn
from deploy.bench.faults import phones
from deploy.bench.faults.phones import Phone, Table, Told, pairings_told, table_of
from deploy.bench.faults.site import Site
from rules.ruleset import Ruleset
from rules.score import Game, Side
from tournament.models import Tournament
from tournament.rehearsal.wire import Wire

POLL_SECONDS = 0.05


@dataclass
class Hall:
    """A released tournament, a token for every entry, and a way in for its director where one is needed."""

    stage: Site
    tournament: Tournament
    sign_in_link: str
    tokens: dict[uuid.UUID, str]
    seed: int = 1
    told: Told = field(default_factory=Told)
    decided: int = 0

    @property
    def bracket(self) -> str:
        return f"/api/v1/tournaments/{self.tournament.pk}/brackets/main/"

    def phone(self, entry: uuid.UUID) -> Phone:
        return Phone(self.stage.url, self.tokens[entry], self.told)

    def play_out(self, clients: int, after_each: Callable[[int], None]) -> None:
        """Reports every match of the bracket from so many threads, and looks for more only when one has nothing to do.

        `after_each` learns, in the calling thread, how many are decided.
        """
        with ThreadPoolExecutor(clients) as threads:
            playing: set[Future[None]] = set()
            for table in self.tables():
                playing |= {threads.submit(self.play, table)} if table else set()
                if not playing:
                    time.sleep(POLL_SECONDS)
                looks_again = 0 if table else POLL_SECONDS if len(playing) <= clients else None
                done, playing = wait(playing, looks_again, FIRST_COMPLETED)
                for match in done:
                    match.result()
                    self.decided += 1
                    after_each(self.decided)

    def play(self, table: Table) -> None:
        """One match: the left player's phone enters every game, the right player's confirms."""
        tail = self.phone(table.left).enter(table.match, self.games_at(table))
        self.phone(table.right).confirm(table.match, tail)
        self.told.winners[table.match] = self.winner_at(table)

    def winner_at(self, table: Table) -> uuid.UUID:
        return table.left if self.games_at(table)[-1].winner is Side.LEFT else table.right

    def open_tables(self) -> list[Table]:
        """The matches that can be played now, in the order of the sheet."""
        page = Wire(self.stage.url)
        return [table_of(pairing) for pairing in pairings_told(page.get(self.bracket)) if pairing["match_id"]]

    def games_at(self, table: Table) -> list[Game]:
        """The games of this match, the same ones whenever it is asked."""
        return phones.games_at(table, Ruleset.from_json(self.tournament.ruleset), self.seed)

    def tables(self) -> Iterator[Table | None]:
        """Matches as a spectator sees them open, and None after each look, until the last is decided."""
        page, seen, ends = Wire(self.stage.url), set[str](), time.monotonic() + phones.PATIENCE
        while self.decided < len(self.tokens) - 1:
            if time.monotonic() > ends:
                raise TimeoutError(f"only {len(seen)} matches have opened")
            for pairing in pairings_told(page.get(self.bracket)):
                if pairing["match_id"] and pairing["match_id"] not in seen:
                    seen.add(pairing["match_id"])
                    yield table_of(pairing)
            yield None


def drawn_hall(stage: Site, entries: int, length: int = 3) -> Hall:
    """So many players, drawn and released, each with a phone; within the database of the stage."""
    tournament, tokens = drawn(entries, length)
    return Hall(stage, tournament, "", tokens)
