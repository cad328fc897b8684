"""The prize money that players can expect while rounds are not paired or a play-off waits for places. Reads only.

Each simulated end pairs its rounds by the product's own pairing, with the aims and the seed text of the draw.
"""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournament.brackets.ranking import PairingRow
from tournament.brackets.round_basis import MAIN, Basis, lives_rules, next_basis
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.first_round import round_seed
from tournament.draw.graph import BYE
from tournament.draw.pairing import (
    Contender,
    LivesRules,
    is_over,
    pair_round,
    pair_round_with,
    still_in,
)
from tournament.draw.seating import Decision, Facts, How, Seating, State, resolve
from tournament.draw.seating.settling import Settled
from tournament.models import Draw, Tournament
from tournament.money.open_matches import Chances, open_matches
from tournament.places.certain import PlaceList, place_rules, places_by_rules
from tournament.prizes.worth import CERTAIN, RandomSource, play_once

PAIRED_BY_ROUNDS = (Kind.SWISS, Kind.MONRAD)
POINTS = (1, 0)
"""Points of an assumed win, because a win without points counts as a walkover."""


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The rounds that are not paired yet: the basis of the first, and the number of the last, 0 if lives end them.

    `row` is a pairing of the last round that is paired.
    """

    basis: Basis
    last: int
    seed_text: str
    counts_byes: bool
    row: PairingRow
    lives: LivesRules | None = None


class LaterRounds:
    """Simulates the rest of a tournament once for each call, and returns its lists of places."""

    def __init__(self, tournament: Tournament, sheet: Sheet, chances: Chances, random: RandomSource) -> None:
        self.sheet, self.chances, self.random = sheet, chances, random
        self.place_rules = place_rules(tournament)
        self.rounds = _rounds_to_pair(tournament, sheet)

    def __call__(self) -> dict[str, PlaceList]:
        facts, states = self._play_drawn()
        if self.rounds is None:
            return places_by_rules(self.place_rules, self.sheet, (facts, Seating(states, frozenset())))
        return self._play_rounds(self.rounds, facts, states)

    def _play_drawn(self) -> tuple[Facts[int, uuid.UUID], Mapping[int, State[uuid.UUID]]]:
        """Plays all matches of the draw: those that wait for places in groups after the groups."""
        facts, states, is_whole = self.sheet.facts, self.sheet.seated(), False
        while not is_whole:
            matches, is_whole = open_matches(self.sheet, states)
            if not matches:
                break
            results = play_once(matches, self._left_wins)
            decisions = {
                key: Decision(played.winner, played.loser, points=POINTS)
                for key, played in results.items()
                if played.winner is not None and played.loser is not None
            }
            facts = facts._replace(decisions={**facts.decisions, **decisions})
            states = dict(resolve(self.sheet.graph, *facts).states)
        return facts, states

    def _left_wins(self, key: Any, left: uuid.UUID, right: uuid.UUID) -> bool:
        return int(self.random.random() * CERTAIN) < self.chances(key, left, right)

    def _play_rounds(
        self, rounds: _Rounds, facts: Facts[int, uuid.UUID], states: Mapping[int, State[uuid.UUID]]
    ) -> dict[str, PlaceList]:
        table = _Table(rounds, {row.entry: row for row in rounds.basis.contenders})
        for key, row in self.sheet.rows.items():
            if row.bracket == MAIN and not row.settled:
                table.credit(states[key].result)
        number = rounds.basis.number
        while not table.is_over(number):
            for left, right in list(table.pair(number)):
                table.add(number, left, right, self._result(rounds, left, right))
            number += 1
        facts = facts._replace(decisions={**facts.decisions, **table.decisions})
        sheet = replace(self.sheet, rows={**self.sheet.rows, **table.rows})
        seating = Seating({**states, **table.states}, frozenset())
        return places_by_rules(self.place_rules, sheet, (facts, seating))

    def _result(self, rounds: _Rounds, left: uuid.UUID, right: uuid.UUID | None) -> Settled[uuid.UUID]:
        if right is None:
            return Settled(left, BYE, How.BYE)
        chance = self.chances.by_length(rounds.row.length, left, right)
        is_left = int(self.random.random() * CERTAIN) < chance
        return Settled(left, right, How.PLAYED) if is_left else Settled(right, left, How.PLAYED)


class _Table:
    """The records of the contenders, and the pairings that a simulated end adds. Their keys are negative."""

    def __init__(self, rounds: _Rounds, contenders: dict[uuid.UUID, Contender[uuid.UUID]]) -> None:
        self.basis, self.rounds, self.contenders = rounds.basis, rounds, contenders
        self.rows: dict[int, PairingRow] = {}
        self.states: dict[int, State[uuid.UUID]] = {}
        self.decisions: dict[int, Decision[uuid.UUID]] = {}

    def is_over(self, number: int) -> bool:
        """True if no round with this number is played."""
        lives = self.rounds.lives
        return is_over(self.contenders.values(), lives, number - 1) if lives else number > self.rounds.last

    def pair(self, number: int) -> Iterator[tuple[uuid.UUID, uuid.UUID | None]]:
        """The pairs of this round, and last the entry with a bye."""
        lives, seed = self.rounds.lives, round_seed(self.rounds.seed_text, number)
        everybody = still_in(self.contenders.values(), lives) if lives else list(self.contenders.values())
        aims, left = self.basis.aims, max(0, self.rounds.last - number)
        forced = self.basis.forced if number == self.basis.number else ()
        paired = (
            pair_round_with(forced, everybody, aims, seed, left)
            if forced
            else pair_round(everybody, aims, seed, left)
        )
        for pair in paired.pairs:
            yield pair.left, pair.right
        if paired.bye is not None:
            yield paired.bye.entry, None

    def add(self, number: int, left: uuid.UUID, right: uuid.UUID | None, result: Settled[uuid.UUID]) -> None:
        key = -len(self.rows) - 1
        self.rows[key] = self.rounds.row._replace(key=key, round=number, line=-key, match_id=None)
        self.states[key] = State(left, BYE if right is None else right, result)
        if isinstance(result.winner, uuid.UUID) and isinstance(result.loser, uuid.UUID):
            self.decisions[key] = Decision(result.winner, result.loser, points=POINTS)
        self.credit(result)

    def credit(self, result: Settled[uuid.UUID]) -> None:
        """Adds the result to the records."""
        winner, loser = result.winner, result.loser
        if isinstance(winner, uuid.UUID) and isinstance(loser, uuid.UUID):
            self._add(winner, loser, wins=1)
            self._add(loser, winner, losses=1)
        elif isinstance(winner, uuid.UUID):
            self._add(winner, None, wins=int(self.rounds.counts_byes), byes=1)

    def _add(
        self, entry: uuid.UUID, opponent: uuid.UUID | None, wins: int = 0, losses: int = 0, byes: int = 0
    ) -> None:
        if entry not in self.contenders:
            return
        row = self.contenders[entry]
        self.contenders[entry] = row._replace(
            wins=row.wins + wins,
            losses=row.losses + losses,
            byes=row.byes + byes,
            opponents=(*row.opponents, opponent) if opponent else row.opponents,
        )


def _rounds_to_pair(tournament: Tournament, sheet: Sheet) -> _Rounds | None:
    """The rounds that are not paired yet; None if all are, and for formats that are not paired by rounds."""
    draw = Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).first()
    row = max(
        (row for row in sheet.rows.values() if row.bracket == MAIN), key=lambda row: row.round, default=None
    )
    if draw is None or row is None:
        return None
    chosen = Format.from_json(draw.recipe["format"])
    lives = lives_rules(chosen) if chosen.kind is Kind.LIVES else None
    if lives is None and (chosen.kind not in PAIRED_BY_ROUNDS or row.round >= chosen.rounds):
        return None
    counts_byes, last = bool(chosen.standings.counting.bye.wins), 0 if lives else chosen.rounds
    return _Rounds(next_basis(tournament, draw), last, draw.seed_text, counts_byes, row, lives)
