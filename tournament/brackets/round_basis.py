"""The facts that a round is paired from: contenders with records, aims and seed text. Reads only."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournament.brackets import storage
from tournament.brackets.ranking import pairing_notes
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.first_round import pairing_aims, round_seed
from tournament.draw.pairing import (
    Aims,
    Contender,
    Cost,
    FreePairing,
    LivesMoment,
    LivesRules,
    PairedRound,
    Stop,
    aims_for_free_players,
    costs_of,
    pair_free,
    pair_round,
    pair_round_with,
)
from tournament.draw.seating import State, resolve
from tournament.draw.standings import Record, records_of, with_starting_losses
from tournament.models import Draw, Entry, Pairing, PairRule, Result, ResultKind, Round, Tournament
from tournament.refusals.rounds import STILL_PLAYING_WITHOUT_LIFE
from tournament.runtime.errors import Refused

MAIN = "main"
GROUP_PREFIX = "group "
EVERY_ROUND = 0
Pairs = tuple[tuple[uuid.UUID, uuid.UUID], ...]
States = Mapping[int, State[uuid.UUID]]


@dataclass(frozen=True, slots=True)
class Basis:
    """The facts that round `number` is paired from. With `lives_moment` only its free players are paired.

    `rounds_left` are planned after this one; 0 if their number is unknown. `forced` are the pairs set by hand.
    """

    number: int
    contenders: tuple[Contender[uuid.UUID], ...]
    aims: Aims
    seed_text: str
    lives_moment: LivesMoment[uuid.UUID] | None = None
    rounds_left: int = 0
    forced: Pairs = ()

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "aims": self.aims.as_json(),
            "contenders": [_contender_json(contender) for contender in self.contenders],
            "rounds_left": self.rounds_left,
        }
        if apart := self.kept_apart():
            document["kept_apart"] = [[str(entry) for entry in pair] for pair in apart]
        if self.forced:
            document["forced"] = _pairs_json(self.forced)
        if self.lives_moment is not None:
            rules = self.lives_moment.rules
            document["playing"] = _pairs_json(self.lives_moment.open_matches)
            document["lives"] = {"lives": rules.lives, "stop": rules.stop.value, "rounds": rules.rounds}
        return document

    def paired(self) -> PairedRound[uuid.UUID] | FreePairing[uuid.UUID]:
        if self.lives_moment is not None:
            return pair_free(self.lives_moment, self.aims, self.seed_text)
        if self.forced:
            return pair_round_with(self.forced, self.contenders, self.aims, self.seed_text, self.rounds_left)
        return pair_round(self.contenders, self.aims, self.seed_text, self.rounds_left)

    def kept_apart(self) -> list[tuple[uuid.UUID, uuid.UUID]]:
        """The pairs of contenders that a director keeps apart."""
        entries = {contender.entry for contender in self.contenders}
        return [
            (contender.entry, other)
            for contender in self.contenders
            for other in contender.apart
            if other in entries
        ]

    def costs_of(self, pairs: Iterable[frozenset[uuid.UUID]]) -> dict[frozenset[uuid.UUID], Cost]:
        """The costs of these pairs, and of byes (one entry), in this round, without impossible ones."""
        if self.lives_moment is None:
            return costs_of(pairs, self.contenders, self.aims, self.seed_text)
        return costs_of(
            pairs, self.lives_moment.free_contenders(), aims_for_free_players(self.aims), self.seed_text
        )


def stored_basis(row: Round) -> Basis:
    return basis_from_json(row.number, row.seed_text, row.basis.document)


def basis_from_json(number: int, seed_text: str, document: Mapping[str, Any]) -> Basis:
    contenders = tuple(_contender_from_json(row_json) for row_json in document["contenders"])
    lives_moment = None
    if "playing" in document:
        lives = document["lives"]
        rules = LivesRules(lives["lives"], Stop(lives["stop"]), lives["rounds"])
        lives_moment = LivesMoment(contenders, rules, _pairs_from_json(document["playing"]))
    return Basis(
        number,
        contenders,
        Aims.from_json(document["aims"]),
        seed_text,
        lives_moment,
        document.get("rounds_left", 0),
        _pairs_from_json(document.get("forced", [])),
    )


def next_basis(tournament: Tournament, draw: Draw, *, only_free: bool = False) -> Basis:
    """Returns the basis of the next round; with `only_free` the basis for the free players while others play."""
    chosen = Format.from_json(draw.recipe["format"])
    last = last_round(tournament)
    number = 1 if last is None else last.number + 1
    sheet = storage.read(tournament)
    entries = _active_entries([tournament.pk])[tournament.pk]
    forced, apart = _pair_rules(tournament, number)
    contenders = tuple(
        contender._replace(apart=apart.get(contender.entry, ()))
        for contender in _contenders(draw, entries, sheet)
    )
    lives_moment = (
        LivesMoment(contenders, lives_rules(chosen), _pairs_playing(_states(sheet), contenders))
        if only_free
        else None
    )
    left = 0 if chosen.kind == Kind.LIVES else max(0, chosen.rounds - number)
    seed_text = round_seed(draw.seed_text, number)
    still_in = {contender.entry for contender in contenders}
    forced = () if only_free else tuple(pair for pair in forced if still_in.issuperset(pair))
    return Basis(number, contenders, pairing_aims(chosen), seed_text, lives_moment, left, forced)


def contenders_by_tournament(draws: Collection[Draw]) -> dict[uuid.UUID, tuple[Contender[uuid.UUID], ...]]:
    """The entries still in, by tournament, with the number of statements of a single tournament.

    Expects draws with their tournaments.
    """
    sheets = storage.read_all([draw.tournament for draw in draws])
    entries = _active_entries(sheets)
    return {
        draw.tournament_id: tuple(_contenders(draw, entries[draw.tournament_id], sheets[draw.tournament_id]))
        for draw in draws
    }


def pairings_without_result(tournaments: Iterable[uuid.UUID]) -> QuerySet[Pairing]:
    """The pairings of the brackets that are paired round by round without a posted result.

    A posted result counts before it is advanced.
    """
    current = Result.objects.filter(pairing=OuterRef("pk"), superseded_by__isnull=True)
    posted = Exists(current.exclude(kind=ResultKind.RETRACTED))
    pairings = Pairing.objects.filter(round__bracket__tournament__in=tournaments, round__bracket__key=MAIN)
    return pairings.filter(settled="").exclude(posted)


def has_planned_times(bracket: str) -> bool:
    """Rounds of the main bracket and of groups have planned times."""
    return bracket == MAIN or bracket.startswith(GROUP_PREFIX)


def in_planned_bracket(path: str = "bracket") -> Q:
    """The condition of `has_planned_times`. `path` leads to the bracket."""
    return Q(**{f"{path}__key": MAIN}) | Q(**{f"{path}__key__startswith": GROUP_PREFIX})


def lives_rules(chosen: Format) -> LivesRules:
    return LivesRules(chosen.lives, chosen.stop, chosen.rounds)


def last_round(tournament: Tournament) -> Round | None:
    """The last round of the bracket that is paired round by round."""
    rows = Round.objects.filter(bracket__tournament=tournament, bracket__key=MAIN)
    return rows.select_related("bracket").order_by("-number").first()


def _states(sheet: Sheet) -> States:
    """The states of the bracket that is paired round by round, with all posted results."""
    seating = resolve(sheet.graph, *sheet.facts)
    return {pairing.key: seating[pairing.key] for pairing in sheet.graph if pairing.bracket == MAIN}


def _pairs_playing(states: States, contenders: Iterable[Contender[uuid.UUID]]) -> Pairs:
    """The pairs that play now. Raises Refused if a correction put out an entry that still plays."""
    playing = tuple(
        (state.left, state.right)
        for _, state in sorted(states.items())
        if state.result.how is None
        and isinstance(state.left, uuid.UUID)
        and isinstance(state.right, uuid.UUID)
    )
    if not {contender.entry for contender in contenders}.issuperset(
        entry for pair in playing for entry in pair
    ):
        raise Refused(STILL_PLAYING_WITHOUT_LIFE)
    return playing


def _records(sheet: Sheet, states: States) -> dict[uuid.UUID, Record[uuid.UUID]]:
    pairings = [sheet.graph[key] for key in states]
    return records_of(
        pairings, states, sheet.facts.decisions, pairing_notes(sheet.rows, states, sheet.facts.decisions)
    )


def _active_entries(tournaments: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[Entry]]:
    entries: dict[uuid.UUID, list[Entry]] = {pk: [] for pk in tournaments}
    for entry in Entry.objects.filter(tournament__in=entries, withdrawn_at__isnull=True).select_related(
        "player"
    ):
        entries[entry.tournament_id].append(entry)
    return entries


def _contenders(draw: Draw, entries: Collection[Entry], sheet: Sheet) -> Iterator[Contender[uuid.UUID]]:
    """Yields every entry still in. Late entries rank behind the drawn entries, in order of arrival."""
    chosen = Format.from_json(draw.recipe["format"])
    starting_losses = {entry.pk: entry.starting_losses for entry in entries if entry.starting_losses}
    records = with_starting_losses(
        _records(sheet, _states(sheet)), starting_losses if chosen.kind == Kind.LIVES else {}
    )
    drawn = [uuid.UUID(entry) for entry in draw.order if entry is not None]
    strength = {entry: place for place, entry in enumerate(drawn, start=1)}
    late = len(strength)
    for entry in sorted(entries, key=lambda entry: (entry.entered_at, str(entry.pk))):
        if entry.pk not in strength:
            late += 1
            strength[entry.pk] = late
        record = records.get(entry.pk, Record(entry.pk))
        if chosen.kind == Kind.LIVES and record.all_losses >= chosen.lives:
            continue
        yield Contender(
            entry.pk,
            _counted_wins(chosen, record),
            record.all_losses,
            record.byes,
            record.opponents,
            strength[entry.pk],
            entry.player.club,
            entry.player.country,
            entry.player.team,
        )


def _counted_wins(chosen: Format, record: Record[uuid.UUID]) -> int:
    counting = chosen.standings.counting
    byes = record.byes if counting.bye.wins else 0
    return record.wins + byes + (record.walkovers_won if counting.walkover.wins else 0)


def _pair_rules(tournament: Tournament, number: int) -> tuple[Pairs, dict[uuid.UUID, tuple[uuid.UUID, ...]]]:
    """The pairs set by hand for this round, and for the first of each pair kept apart the others.

    Round 1 follows from the draw alone, so that anybody can check it.
    """
    if number == 1:
        return (), {}
    rules = PairRule.objects.filter(tournament=tournament, number__in=(EVERY_ROUND, number))
    forced: list[tuple[uuid.UUID, uuid.UUID]] = []
    apart: dict[uuid.UUID, tuple[uuid.UUID, ...]] = {}
    for first, second, rule_number in rules.values_list("first_id", "second_id", "number").order_by("pk"):
        if rule_number == EVERY_ROUND:
            apart[first] = (*apart.get(first, ()), second)
        else:
            forced.append((first, second))
    return tuple(forced), apart


def _pairs_json(pairs: Pairs) -> list[list[str]]:
    return [[str(left), str(right)] for left, right in pairs]


def _pairs_from_json(document: Iterable[Sequence[str]]) -> Pairs:
    return tuple((uuid.UUID(left), uuid.UUID(right)) for left, right in document)


def _contender_json(contender: Contender[uuid.UUID]) -> dict[str, Any]:
    apart = {"apart": [str(entry) for entry in contender.apart]} if contender.apart else {}
    return {
        **apart,
        "entry": str(contender.entry),
        "wins": contender.wins,
        "losses": contender.losses,
        "byes": contender.byes,
        "opponents": [str(entry) for entry in contender.opponents],
        "strength": contender.strength,
        "club": contender.club,
        "country": contender.country,
        "team": contender.team,
    }


def _contender_from_json(document: Mapping[str, Any]) -> Contender[uuid.UUID]:
    return Contender(
        uuid.UUID(document["entry"]),
        document["wins"],
        document["losses"],
        document["byes"],
        tuple(uuid.UUID(entry) for entry in document["opponents"]),
        document["strength"],
        document["club"],
        document["country"],
        document.get("team", ""),
        tuple(uuid.UUID(entry) for entry in document.get("apart", [])),
    )
