"""Compares what entries are due from the pots of a tournament with what they were awarded. Reads only."""

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from django.db.models import Count, Q, QuerySet, Sum

from tournament.brackets import storage
from tournament.brackets.storage import Sheet
from tournament.fees.amounts import Amount
from tournament.fees.schedule import MAIN_POT, Condition
from tournament.fees.stored import parse_schedule
from tournament.models import (
    AccountKind,
    Deed,
    Entry,
    LedgerTransaction,
    Result,
    Settlement,
    Tournament,
    Transfer,
)
from tournament.money.agreed_prizes import current_settlements, with_settlements
from tournament.places.certain import JACKPOT, FactsAndSeating, PlaceList, is_over, list_places, stored_facts
from tournament.prizes.awards import Award, Entrant, awards_of
from tournament.prizes.stored import parse_structure
from tournament.prizes.structure import PrizeStructure, main_pot

ADDED, SERIES = "added", "series"
"""Lines of money that the organizer adds to a pot, and of money that is set aside for a series."""

Prizes = Counter[tuple[str, str]]
"""Minor units by pot and line."""

PrizesOfEntries = dict[tuple[uuid.UUID, str], Prizes]
"""Prizes by entry and currency."""


NO_CHANGES: Mapping[tuple[str, str], int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AwardChange:
    """The awards of an entry in a currency by the transactions `reversed_rows`, and the awards that it is due."""

    entry: Entry
    currency: str
    before: Prizes
    after: Prizes
    reversed_rows: frozenset[int] = frozenset()

    @property
    def amount_before(self) -> Amount:
        return Amount(self.before.total(), self.currency)

    @property
    def amount_after(self) -> Amount:
        return Amount(self.after.total(), self.currency)


@dataclass(frozen=True, slots=True)
class DuePrizes:
    """`changes` of entries whose awards differ from what they are due. `is_over`: every place is certain.

    `added`: what the organizer adds to each pot; `set_aside`: what goes from the main pot to a series.
    """

    currency: str = ""
    changes: tuple[AwardChange, ...] = ()
    added: Mapping[str, int] = field(default_factory=dict)
    set_aside: int = 0
    is_over: bool = False


def structure_of(tournament: Tournament) -> PrizeStructure | None:
    """The prize structure; without one the fees name the currency in which jackpots are paid. None without both."""
    structure, schedule = parse_structure(tournament.prize_structure), parse_schedule(tournament.fees)
    return structure or (PrizeStructure(schedule.currency) if schedule else None)


def is_awarded(tournament: Tournament) -> bool:
    """True once the prizes of the whole tournament were awarded, and not only those of jackpots."""
    return bool(tournament.awards_stamp)


def due_prizes(
    tournament: Tournament,
    *,
    sheet: Sheet | None = None,
    facts: FactsAndSeating | None = None,
    settlements: Sequence[Settlement] | None = None,
    pot_changes: Mapping[tuple[str, str], int] = NO_CHANGES,
) -> DuePrizes:
    """The changes that awarding the prizes of the tournament would post now, or by other facts of the same sheet.

    `settlements`: the agreements that count by these facts; None: the current ones. `pot_changes`: what comes into pots
    besides the present charges, in minor units by pot and currency.

    Before the tournament is over, only the prizes of finished jackpots are due, unless prizes were awarded already.
    """
    structure, awarded = structure_of(tournament), _awarded(tournament)
    entries = {row.pk: row for row in Entry.objects.filter(tournament=tournament).select_related("player")}
    if structure is None:
        return DuePrizes(changes=tuple(_changes(entries, {}, awarded)))
    sheet = sheet or storage.read(tournament)
    lists = list_places(tournament, sheet, facts or stored_facts(sheet))
    over = is_over(lists)
    pots = Counter(paid_into_pots(tournament, structure.currency))
    pots.update(
        {key: minor for (key, currency), minor in pot_changes.items() if currency == structure.currency}
    )
    placed = placed_awards(structure, pots, lists, entrants_of(entries.values()))
    decisions = (facts or stored_facts(sheet))[0].decisions
    settlements = current_settlements(tournament) if settlements is None else settlements
    counted = [row for row in settlements if row.currency == structure.currency]
    due: PrizesOfEntries = {}
    for award in with_settlements(placed, counted, decisions):
        if over or is_awarded(tournament) or award.pot.startswith(JACKPOT):
            prizes = due.setdefault((award.entry, structure.currency), Counter())
            prizes[award.pot, award.line] += award.minor
    changes = tuple(_changes(entries, due, awarded))
    main = main_pot(structure, pots.get(MAIN_POT, 0))
    added = {MAIN_POT: main.added, **{pool.key: pool.added for pool in structure.pools}}
    return DuePrizes(structure.currency, changes, added, main.set_aside, over)


def placed_awards(
    structure: PrizeStructure,
    pots: Mapping[str, int],
    lists: Mapping[str, PlaceList],
    entrants: Mapping[uuid.UUID, Entrant],
) -> tuple[Award[uuid.UUID], ...]:
    """The awards of certain places, without agreements between players."""
    return awards_of(structure, pots, {key: row.places for key, row in lists.items()}, entrants)


def entrants_of(entries: Iterable[Entry]) -> dict[uuid.UUID, Entrant]:
    """What decides which prizes these entries may win. Their players are loaded."""
    return {
        entry.pk: Entrant(frozenset(map(Condition, entry.player.conditions)), frozenset(entry.pools))
        for entry in entries
    }


def paid_into_pots(tournament: Tournament, currency: str) -> dict[str, int]:
    """The sums that entries were charged for each pot of the tournament, in minor units by the key of the pot."""
    pots: Counter[str] = Counter()
    charges = Q(transaction__deed=Deed.CHARGE) | Q(transaction__reverses__deed=Deed.CHARGE)
    for side, sign in (("source", 1), ("target", -1)):
        account = {
            f"{side}__tournament": tournament,
            f"{side}__kind": AccountKind.POT,
            f"{side}__currency": currency,
        }
        rows = Transfer.objects.filter(charges, **account).order_by()
        for key, minor in rows.values_list(f"{side}__name").annotate(Sum("amount")):
            pots[key] += sign * minor
    return dict(pots)


def missing_added_money(tournament: Tournament, due: DuePrizes) -> dict[tuple[str, str, str], int]:
    """What the organizer still has to add to the pots, or to take out of them, by currency, pot and line.

    A pot with a guaranteed sum can need more money of the organizer although no prize changes.
    """
    wanted = Counter({(due.currency, key, ADDED): minor for key, minor in due.added.items()})
    wanted[due.currency, MAIN_POT, SERIES] = -due.set_aside
    present: Counter[tuple[str, str, str]] = Counter()
    for row in added_transfers(tournament).select_related("source", "target"):
        is_into_pot = row.source.kind == AccountKind.POT
        account, other = (row.source, row.target) if is_into_pot else (row.target, row.source)
        line = SERIES if other.kind == AccountKind.YEARLY_POT else ADDED
        present[account.currency, account.name, line] += row.amount if is_into_pot else -row.amount
    missing = {key: wanted[key] - present[key] for key in dict.fromkeys([*wanted, *present])}
    return {key: minor for key, minor in missing.items() if minor}


def added_transfers(tournament: Tournament) -> QuerySet[Transfer]:
    """The transfers of money that the organizer added to the pots of the tournament, or set aside from them."""
    return Transfer.objects.filter(
        transaction__event=tournament.event_id, transaction__key__startswith=f"{ADDED} {tournament.pk} "
    )


@dataclass(frozen=True, slots=True)
class _Awarded:
    prizes: Prizes
    rows: set[int]


def _awarded(tournament: Tournament) -> dict[tuple[uuid.UUID, str], _Awarded]:
    """The awards of each entry in each currency by transactions that were not reversed."""
    rows = Transfer.objects.filter(
        transaction__deed=Deed.PRIZE,
        transaction__reversed_by__isnull=True,
        transaction__entry__tournament=tournament,
    )
    awarded: dict[tuple[uuid.UUID, str], _Awarded] = {}
    for entry, currency, row, pot, line, minor in rows.values_list(
        "transaction__entry", "target__currency", "transaction", "target__name", "line", "amount"
    ):
        own = awarded.setdefault((entry, currency), _Awarded(Counter(), set()))
        own.prizes[pot, line] += minor
        own.rows.add(row)
    return awarded


def _changes(
    entries: Mapping[uuid.UUID, Entry],
    due: PrizesOfEntries,
    awarded: Mapping[tuple[uuid.UUID, str], _Awarded],
) -> Iterator[AwardChange]:
    for entry, currency in dict.fromkeys([*due, *awarded]):
        before = awarded.get((entry, currency), _Awarded(Counter(), set()))
        after = due.get((entry, currency), Counter())
        if before.prizes != after:
            yield AwardChange(entries[entry], currency, before.prizes, after, frozenset(before.rows))


def stamps_of(tournaments: Sequence[Tournament]) -> dict[uuid.UUID, str]:
    """A text for each tournament that changes whenever its prizes could change."""
    if not tournaments:
        return {}
    pks = [row.pk for row in tournaments]
    results = Result.objects.filter(pairing__round__bracket__tournament__in=pks).order_by()
    counts = dict(results.values_list("pairing__round__bracket__tournament").annotate(Count("pk")))
    charges = LedgerTransaction.objects.filter(
        Q(deed=Deed.CHARGE) | Q(reverses__deed=Deed.CHARGE), entry__tournament__in=pks
    ).order_by()
    charged = dict(charges.values_list("entry__tournament").annotate(Count("pk")))
    entries: dict[uuid.UUID, list[list[object]]] = {pk: [] for pk in pks}
    rows = Entry.objects.filter(
        Q(withdrawn_at__isnull=False) | ~Q(pools=[]) | ~Q(player__conditions=[]), tournament__in=pks
    ).order_by("pk")
    fields = ("withdrawn_at", "pools", "player__conditions")
    for tournament, entry, withdrawn_at, pools, conditions in rows.values_list("tournament", "pk", *fields):
        is_withdrawn = withdrawn_at is not None
        entries[tournament].append([entry.hex, is_withdrawn, sorted(pools), sorted(conditions)])
    return {
        row.pk: _digest(
            [
                counts.get(row.pk, 0),
                charged.get(row.pk, 0),
                entries[row.pk],
                row.format,
                row.prize_structure,
                row.fees.get("currency"),
            ]
        )
        for row in tournaments
    }


def _digest(facts: object) -> str:
    return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
