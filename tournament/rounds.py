"""Rounds paired from the records so far: Swiss, Monrad, lives. Writes a round and what it was paired from.

A round is paired outside the lock and kept only if nothing changed meanwhile. What it was paired from is kept with
it, so that anybody can pair it again.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from matches import scorecard
from matches.models import Match
from tournament import drawsheet, journal, progression
from tournament.actors import Actor
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import FromBye, FromEntry, Graph
from tournament.draw.graph import Pairing as Drawn
from tournament.draw.pairing import (
    Aims,
    Alike,
    Contender,
    LivesRules,
    PairedRound,
    is_over,
    pair_round,
)
from tournament.draw.recipes.order_rules import Separate
from tournament.draw.seating import resolve
from tournament.draw.standings import Record, records_of
from tournament.drawsheet import Sheet, Writing
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import Bracket, Draw, Entry, Pairing, Round, Tournament
from tournament.progression import Changes
from tournament.ranking import notes_of

MAIN = "main"
TRIES = 3
FEWEST_TO_PAIR = 2
ALIKE: Mapping[Kind, Alike] = {Kind.SWISS: Alike.WINS, Kind.MONRAD: Alike.PLACE, Kind.LIVES: Alike.LOSSES}


@dataclass(frozen=True, slots=True)
class Basis:
    """What round `number` is paired from."""

    number: int
    contenders: tuple[Contender[uuid.UUID], ...]
    aims: Aims
    seed_text: str

    def as_json(self) -> dict[str, Any]:
        return {
            "aims": self.aims.as_json(),
            "contenders": [
                {
                    "entry": str(one.entry),
                    "wins": one.wins,
                    "losses": one.losses,
                    "byes": one.byes,
                    "opponents": [str(entry) for entry in one.opponents],
                    "strength": one.strength,
                    "club": one.club,
                    "country": one.country,
                }
                for one in self.contenders
            ],
        }

    def paired(self) -> PairedRound[uuid.UUID]:
        return pair_round(self.contenders, self.aims, self.seed_text)


def kept_basis(row: Round) -> Basis:
    """What a stored round was paired from."""
    contenders = tuple(
        Contender(
            uuid.UUID(one["entry"]),
            one["wins"],
            one["losses"],
            one["byes"],
            tuple(uuid.UUID(entry) for entry in one["opponents"]),
            one["strength"],
            one["club"],
            one["country"],
        )
        for one in row.basis["contenders"]
    )
    return Basis(row.number, contenders, Aims.from_json(row.basis["aims"]), row.seed_text)


def write_first(changes: Changes, draw: Draw) -> None:
    """Pairs round 1 of a draw that is being made, from the order that was drawn."""
    _write(changes, _basis(changes.tournament, draw))


def pair_next(tournament_id: uuid.UUID, actor: Actor) -> Round:
    """Pairs the next round. Raises Refused while a match is open, when all rounds are played, and when it is over."""
    for _ in range(TRIES):
        tournament = Tournament.objects.get(pk=tournament_id)
        seen = _version(tournament)
        basis = next_basis(tournament)
        paired = basis.paired()
        with progression.changing(tournament_id) as changes:
            if _version(changes.tournament) != seen:
                continue
            row = _write(changes, basis, paired)
            progression.open_ready(changes)
            deed = Deed("pair round", "round", row.pk, after={"round": basis.number, "seed": basis.seed_text})
            journal.write(changes.tournament, actor, deed)
            return row
    raise Refused("changed-meanwhile", "Results are coming in just now. Pair the round again.")


def take_back_round(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Takes the last round back while none of its matches has begun; not the first, which is the draw's."""
    with progression.changing(tournament_id) as changes:
        row = _last_round(changes.tournament)
        if row is None or row.number == 1:
            raise Refused(
                "no-round", "There is no round to take back. The first is taken back with the draw."
            )
        if not reason.strip():
            raise Refused("reason-needed", "Give a reason: it is kept in the journal.")
        pairings = Pairing.objects.filter(round=row)
        matches = list(Match.objects.filter(pairing__in=pairings))
        if any(match.has_begun for match in matches) or pairings.filter(results__isnull=False).exists():
            raise Refused("round-has-begun", "A match of this round has begun, so it stays as it is paired.")
        deed = Deed("take round back", "round", row.pk, before={"round": row.number}, reason=reason)
        row.delete()
        scorecard.discard(matches)
        changes.touch_all()
        journal.write(changes.tournament, actor, deed)


def next_basis(tournament: Tournament) -> Basis:
    """What the next round would be paired from; raises Refused as `pair_next` does."""
    draw = progression.current_draw(tournament)
    if draw is None or not draw.is_released:
        raise Refused("not-released", "Release the draw first: its first round is played before the next.")
    chosen = Format.from_json(tournament.format)
    last = _last_round(tournament)
    if last is None or not chosen.is_growing:
        raise Refused("no-rounds", "This format has no rounds to be paired.")
    waiting = Pairing.objects.filter(round__bracket=last.bracket_id, settled="").count()
    if waiting:
        raise Refused(
            "round-is-open",
            "Round {number} has {waiting} matches without a result. Enter them first.",
            number=last.number,
            waiting=waiting,
        )
    basis = _basis(tournament, draw)
    _refuse_when_over(chosen, basis)
    return basis


def _refuse_when_over(chosen: Format, basis: Basis) -> None:
    played = basis.number - 1
    if chosen.kind != Kind.LIVES and played >= chosen.rounds:
        raise Refused("all-rounds-played", "All {rounds} rounds are played.", rounds=chosen.rounds)
    rules = LivesRules(chosen.lives, chosen.stop, chosen.rounds)
    is_decided = chosen.kind == Kind.LIVES and is_over(basis.contenders, rules, played)
    if is_decided or len(basis.contenders) < FEWEST_TO_PAIR:
        raise Refused("event-over", "The event is over: see the standings.")


def _version(tournament: Tournament) -> int:
    bracket = Bracket.objects.filter(tournament=tournament, key=MAIN).first()
    return bracket.version if bracket else -1


def _last_round(tournament: Tournament) -> Round | None:
    rows = Round.objects.filter(bracket__tournament=tournament, bracket__key=MAIN)
    return rows.select_related("bracket").order_by("-number").first()


def _basis(tournament: Tournament, draw: Draw) -> Basis:
    chosen = Format.from_json(draw.recipe["format"])
    last = _last_round(tournament)
    number = 1 if last is None else last.number + 1
    known = {} if last is None else _records(drawsheet.read(tournament))
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).select_related("player")
    contenders = tuple(_contenders(chosen, draw, entries, known))
    aims = Aims(
        alike=ALIKE[chosen.kind],
        seeding=chosen.seeding,
        clubs_apart=chosen.separate == Separate.CLUB,
        countries_apart=chosen.separate == Separate.COUNTRY,
    )
    return Basis(number, contenders, aims, f"{draw.seed_text}/round {number}")


def _records(sheet: Sheet) -> dict[uuid.UUID, Record[uuid.UUID]]:
    pairings = [pairing for pairing in sheet.graph if pairing.bracket == MAIN]
    seating = resolve(sheet.graph, *sheet.facts)
    states = {pairing.key: seating[pairing.key] for pairing in pairings}
    return records_of(
        pairings, states, sheet.facts.decisions, notes_of(sheet.rows, states, sheet.facts.decisions)
    )


def _contenders(
    chosen: Format, draw: Draw, entries: Iterable[Entry], known: Mapping[uuid.UUID, Record[uuid.UUID]]
) -> Iterable[Contender[uuid.UUID]]:
    """Everybody still in; late entrants stand behind those who were drawn, in the order in which they came."""
    drawn = [uuid.UUID(entry) for entry in draw.order if entry is not None]
    strength = {entry: place for place, entry in enumerate(drawn, start=1)}
    late = len(strength)
    for entry in sorted(entries, key=lambda one: (one.entered_at, str(one.pk))):
        if entry.pk not in strength:
            late += 1
            strength[entry.pk] = late
        record = known.get(entry.pk, Record(entry.pk))
        if chosen.kind == Kind.LIVES and record.all_losses >= chosen.lives:
            continue
        yield Contender(
            entry.pk,
            _wins(chosen, record),
            record.all_losses,
            record.byes,
            record.opponents,
            strength[entry.pk],
            entry.player.club,
            entry.player.country,
        )


def _wins(chosen: Format, record: Record[uuid.UUID]) -> int:
    counting = chosen.standings.counting
    byes = record.byes if counting.bye.wins else 0
    return record.wins + byes + (record.walkovers_won if counting.walkover.wins else 0)


def _write(changes: Changes, basis: Basis, paired: PairedRound[uuid.UUID] | None = None) -> Round:
    """Keeps a round: its pairings with their costs, the bye last, and what it was paired from."""
    found = paired or basis.paired()
    drawn = [
        Drawn(
            (MAIN, basis.number, line), MAIN, basis.number, line, FromEntry(pair.left), FromEntry(pair.right)
        )
        for line, pair in enumerate(found.pairs, start=1)
    ]
    costs = {(MAIN, basis.number, line): pair.cost for line, pair in enumerate(found.pairs, start=1)}
    if found.bye is not None:
        key = (MAIN, basis.number, len(drawn) + 1)
        drawn.append(Drawn(key, *key, FromEntry(found.bye.entry), FromBye()))
        costs[key] = found.bye.cost
    rounds = Format.from_json(changes.tournament.format).rounds
    rows = drawsheet.write(changes, Writing(Graph(drawn), {MAIN}, {MAIN: rounds}))
    for key, cost in costs.items():
        rows[key].cost = cost.as_json()
    Pairing.objects.bulk_update(rows.values(), ["cost"], batch_size=500)
    row = Round.objects.get(bracket__tournament=changes.tournament, bracket__key=MAIN, number=basis.number)
    row.basis, row.seed_text, row.drawn_at = basis.as_json(), basis.seed_text, timezone.now()
    row.save(update_fields=["basis", "seed_text", "drawn_at"])
    return row
