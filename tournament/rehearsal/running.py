"""Plays whole tournaments: finds newly opened matches in the public API, and starts a script for each."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules.ruleset import Ruleset
from tournament.refusals.rounds import RESULTS_ARRIVING, ROUND_IS_OPEN
from tournament.rehearsal.clock import Clock, Script
from tournament.rehearsal.counts import Counts, Stopped
from tournament.rehearsal.patience import Patience, PatientWire
from tournament.rehearsal.people import player
from tournament.rehearsal.phone import Person, Phone
from tournament.rehearsal.table import Match, Table
from tournament.rehearsal.wire import Wire

MINUTES_BETWEEN_CHECKS = 1.0
SECONDS_BETWEEN_CHECKS = 0.05
SECONDS_WITHOUT_NEWS = 30.0
REQUESTS_PER_MATCH, REQUESTS_BESIDES = 400, 5000
WAITING = ("waiting", "ready", "playing", "reported", "disputed")
PAIRED_LATER = (ROUND_IS_OPEN.code, RESULTS_ARRIVING.code)


@dataclass(frozen=True, slots=True)
class Plan:
    """The tournaments by id, a token for each entry and one for the desk. `host`: as in `Wire`.

    `is_private`: strangers cannot read all of the tournaments, so the desk reads them.
    """

    url: str
    tournaments: tuple[str, ...]
    phones: dict[str, str]
    desk: str
    seed: int = 1
    speed: float = 600.0
    host: str = ""
    is_private: bool = False


@dataclass
class Sheet:
    """A tournament as the API shows it."""

    data: dict[str, Any]
    ruleset: Ruleset
    wire: Wire
    seen: set[str] = field(default_factory=set)
    versions: dict[str, int] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    is_over: bool = False

    @property
    def name(self) -> str:
        return str(self.data["name"])


class Rehearsal:
    """All simulated people of the event."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self.plan, self.say = plan, say
        self.clock = Clock(plan.speed)
        self.counts = Counts(REQUESTS_BESIDES + REQUESTS_PER_MATCH * len(plan.phones))
        self.patience = Patience(self.counts)
        self.desk = self._phone(plan.desk, self._chance("desk"))
        self.people: dict[str, Person] = {}
        self.sheets = [self._sheet(tournament) for tournament in plan.tournaments]

    def run(self) -> None:
        """Plays until every bracket is decided. Raises Stopped if no match opens for some time."""
        last_check, last_news = -MINUTES_BETWEEN_CHECKS, time.monotonic()
        while not all(sheet.is_over for sheet in self.sheets):
            if self.clock.is_idle or self.clock.minutes >= last_check + MINUTES_BETWEEN_CHECKS:
                last_check = self.clock.minutes
                for sheet in self.sheets:
                    if not sheet.is_over:
                        self._check_tournament(sheet)
            if not self.clock.is_idle:
                self.clock.step()
                last_news = time.monotonic()
            elif time.monotonic() > last_news + SECONDS_WITHOUT_NEWS:
                raise Stopped("No match opens. Is a worker running?")
            else:
                time.sleep(SECONDS_BETWEEN_CHECKS)

    def standings(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for sheet in self.sheets:
            yield sheet.name, self._read(sheet.wire, f"tournaments/{sheet.data['id']}/standings/")

    def _sheet(self, tournament: str) -> Sheet:
        wire = self._wire(self.plan.desk if self.plan.is_private else "")
        data = self._read(wire, f"tournaments/{tournament}/")
        for entry in self._entries(wire, tournament):
            chance = self._chance(f"{data['slug']}/{entry['name']}")
            rating = float(entry["rating"]) if entry["rating"] else None
            phone = self._phone(self.plan.phones[entry["id"]], chance)
            self.people[entry["id"]] = Person(entry["id"], entry["name"], player(rating, chance), phone)
        return Sheet(data, Ruleset.from_json(data["ruleset"]), wire)

    def _entries(self, wire: Wire, tournament: str) -> Iterator[dict[str, Any]]:
        path: str | None = f"tournaments/{tournament}/entries/?page_size=500"
        while path:
            page = self._read(wire, path)
            yield from page["results"]
            path = page["next"].partition("/api/v1/")[2] if page["next"] else None

    def _check_tournament(self, sheet: Sheet) -> None:
        """Starts the matches that have opened since the last check, in all brackets."""
        lines = self._read(sheet.wire, f"tournaments/{sheet.data['id']}/brackets/")
        for line in lines:
            if line["version"] != sheet.versions.get(line["slug"]):
                self._check_bracket(sheet, line["slug"])
        is_over = sheet.over == {line["slug"] for line in lines}
        sheet.is_over = is_over and not self._pairs_another_round(sheet)

    def _pairs_another_round(self, sheet: Sheet) -> bool:
        """Pairs another round if possible. Returns True also if it will be possible after the last results."""
        answer = self.desk.wire.post(f"/api/v1/tournaments/{sheet.data['id']}/rounds/")
        return answer.is_ok or answer.code in PAIRED_LATER

    def _check_bracket(self, sheet: Sheet, key: str) -> None:
        bracket = self._read(sheet.wire, f"tournaments/{sheet.data['id']}/brackets/{key}/")
        sheet.versions[key] = bracket["version"]
        pairings = [pairing for row in bracket["rounds"] for pairing in row["pairings"]]
        is_over = all(pairing["state"] not in WAITING for pairing in pairings)
        sheet.over = sheet.over | {key} if is_over else sheet.over - {key}
        for pairing in pairings:
            if pairing["match_id"] and pairing["state"] in WAITING and pairing["match_id"] not in sheet.seen:
                sheet.seen.add(pairing["match_id"])
                self.clock.start(self._play(sheet, self._table(sheet, pairing)))

    def _table(self, sheet: Sheet, pairing: dict[str, Any]) -> Table:
        match = Match(
            id=pairing["match_id"],
            pairing=pairing["id"],
            place=f"{sheet.name}, round {pairing['round']}",
            number=pairing["called"],
            length=pairing["length"],
            games=pairing["games"],
            minutes=pairing["minutes"],
            ruleset=sheet.ruleset,
            games_wanted=not sheet.data["final_score_allowed"],
            two_cards=sheet.data["two_cards"],
        )
        left, right = (self.people[pairing[side]["entry_id"]] for side in ("left", "right"))
        chance = self._chance(f"{sheet.name}/{pairing['called']}")
        return Table(match, left, right, self.desk, chance)

    def _play(self, sheet: Sheet, table: Table) -> Script:
        yield from table.script()
        how = table.ended or "confirmed by the opponent"
        self.counts.matches[how] += 1
        result = self._read(sheet.wire, f"matches/{table.match.id}/")
        names = " – ".join(person.name for person in table.people.values())
        score = "no-show" if table.ended == "no-show" else f"{result['left']}:{result['right']}, {how}"
        self.say(f"[{self.clock}] {table.match.place}, match {table.match.number}: {names}  {score}")

    def _phone(self, token: str, chance: Random) -> Phone:
        return Phone(self._wire(token), self.counts, chance)

    def _wire(self, token: str) -> Wire:
        return PatientWire(self.plan.url, token, self.patience, self.plan.host)

    def _read(self, wire: Wire, path: str) -> Any:
        answer = wire.get(f"/api/v1/{path}")
        if not answer.is_ok:
            raise Stopped(f"{path} cannot be read: {answer.code}.")
        return answer.body

    def _chance(self, purpose: str) -> Random:
        return Random(f"{self.plan.seed}/{purpose}")  # noqa: S311 (repeatable on purpose; no secret depends on it)


def summary(rehearsal: Rehearsal, seconds: float) -> Iterable[str]:
    counts = rehearsal.counts
    yield f"{sum(counts.matches.values())} matches, {counts.games} games, played until {rehearsal.clock}."
    yield from (f"  {number} {how}" for how, number in counts.matches.most_common())
    yield f"{counts.requests} requests in {seconds:.1f} s ({counts.requests / max(seconds, 0.001):.0f} a second)."
    yield f"{sum(counts.refusals.values())} refused:"
    yield from (f"  {number} {code}" for code, number in counts.refusals.most_common())
    for name, lines in rehearsal.standings():
        yield f"{name}:"
        yield from (f"  {line['place_from']:>3}. {line['name']}" for line in lines[:4])
