"""Compares what entries are due from the pots of a tournament with what they were awarded. Reads only."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tournament.brackets import storage
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.seating import Decision
from tournament.fees.amounts import Amount
from tournament.fees.schedule import MAIN_POT, Condition
from tournament.fees.stored import parse_schedule
from tournament.models import (
    AccountKind,
    Deed,
    Entry,
    Settlement,
    Tournament,
    Transfer,
)
from tournament.money.agreed_prizes import current_settlements, with_settlements
from tournament.money.hedged_prizes import current_hedges, hedge_payments, hedges_of_lines, payer_of
from tournament.money.pots import ADDED, SERIES, added_transfers, paid_into_pots
from tournament.places.certain import (
    FINAL_RANKING,
    JACKPOT,
    EntryPlace,
    FactsAndSeating,
    PlaceList,
    is_over,
    list_places,
    resolved_facts,
)
from tournament.places.families import PLAY_OFF
from tournament.prizes.awards import awards_of
from tournament.prizes.places import Award, Entrant
from tournament.prizes.stored import parse_structure
from tournament.prizes.structure import PrizeStructure, main_pot
from tournament.prizes.templates import field_of, with_side_pools

NO_POT = ""
"""The pot of amounts that the winner of a match pays the loser by a hedge."""

Prizes = Counter[tuple[str, str]]
"""Minor units by pot and line. Amounts that a player pays by a hedge are negative."""

PrizesOfEntries = dict[tuple[uuid.UUID, str], Prizes]
"""Prizes by entry and currency."""


NO_CHANGES: Mapping[tuple[str, str], int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AwardChange:
    """The awards of an entry in a currency by the transactions `reversed_rows`, and the awards that it is due.

    The transaction of a payment by a hedge is that of its payee.
    """

    entry: Entry
    currency: str
    before: Prizes
    after: Prizes
    reversed_rows: frozenset[int] = frozenset()

    @property
    def is_posted(self) -> bool:
        """False if only payments of the player by hedges change, which the transactions of other players record."""
        return +self.before != +self.after

    @property
    def is_hedged(self) -> bool:
        return any(pot == NO_POT for pot, _line in [*self.before, *self.after])

    @property
    def amount_before(self) -> Amount:
        return Amount(self.before.total(), self.currency)

    @property
    def amount_after(self) -> Amount:
        return Amount(self.after.total(), self.currency)


@dataclass(frozen=True, slots=True)
class DuePrizes:
    """`changes` of entries whose awards differ from what they are due. `is_over`: every place is certain.

    `added`: what the organizer adds to each pot; `set_aside`: what goes from the main pot to a series, or
    with a negative amount from a yearly pot to the main pot.
    """

    currency: str = ""
    changes: tuple[AwardChange, ...] = ()
    added: Mapping[str, int] = field(default_factory=dict)
    set_aside: int = 0
    is_over: bool = False


def stored_structure(tournament: Tournament) -> PrizeStructure | None:
    """The stored prize structure, and prizes for all side pools of the fees. None if the pots pay no prizes."""
    structure = parse_structure(tournament.prize_structure)
    if structure is None:
        return None
    field = field_of(Format.from_json(tournament.format), 0, structure.currency)
    return with_side_pools(structure, parse_schedule(tournament.fees), field)


def structure_of(tournament: Tournament) -> PrizeStructure | None:
    """The prize structure; without one the fees name the currency in which jackpots are paid. None without both."""
    structure, schedule = stored_structure(tournament), parse_schedule(tournament.fees)
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
    facts = facts or resolved_facts(sheet)
    lists = list_places(tournament, sheet, facts)
    over = is_over(lists)
    pots = Counter(paid_into_pots(tournament, structure.currency))
    pots.update(
        {key: minor for (key, currency), minor in pot_changes.items() if currency == structure.currency}
    )
    placed = placed_awards(structure, pots, lists, entrants_of(tournament, entries.values()))
    settlements = current_settlements(tournament) if settlements is None else settlements
    counted = [row for row in settlements if row.currency == structure.currency]
    is_final = over or is_awarded(tournament)
    agreed = with_settlements(placed, counted, facts[0].decisions)
    due = _by_entry([row for row in agreed if is_final or row.pot.startswith(JACKPOT)], structure.currency)
    if is_final:
        _add_hedge_payments(due, tournament, structure.currency, facts[0].decisions, settlements)
    changes = tuple(_changes(entries, due, awarded))
    won = {award.pot for award in placed}
    return DuePrizes(structure.currency, changes, *_from_others(structure, pots, won if over else None), over)


def _from_others(
    structure: PrizeStructure, pots: Mapping[str, int], won: Collection[str] | None
) -> tuple[dict[str, int], int]:
    """The money that the organizer adds to each pot, and what goes from the main pot to a series and yearly pots.

    `won`: the pots that pay a prize, once the tournament is over. Nothing is added to the others.
    """
    if won is not None and MAIN_POT not in won:
        structure = replace(structure, added=0, yearly=0, guaranteed=0)
    main = main_pot(structure, pots.get(MAIN_POT, 0))
    added = {MAIN_POT: main.added, **{pool.key: pool.added for pool in structure.pools}}
    if won is not None:
        added = {key: minor for key, minor in added.items() if key in won}
    return added, main.set_aside - main.yearly


def _by_entry(awards: Iterable[Award[uuid.UUID]], currency: str) -> PrizesOfEntries:
    prizes: PrizesOfEntries = {}
    for award in awards:
        prizes.setdefault((award.entry, currency), Counter())[award.pot, award.line] += award.minor
    return prizes


def _add_hedge_payments(
    due: PrizesOfEntries,
    tournament: Tournament,
    currency: str,
    decisions: Mapping[int, Decision[uuid.UUID]],
    settlements: Iterable[Settlement],
) -> None:
    """Adds the payments by hedges: one line for both players, with a negative amount for the payer."""
    settled = {row.pairing_id for row in settlements}
    hedges = [row for row in current_hedges(tournament) if row.currency == currency]
    won = {entry: prizes.total() for (entry, _currency), prizes in due.items()}
    for payment in hedge_payments(hedges, decisions, settled, won):
        due[payment.payer, currency][NO_POT, payment.line] -= payment.minor
        due.setdefault((payment.payee, currency), Counter())[NO_POT, payment.line] += payment.minor


def placed_awards(
    structure: PrizeStructure,
    pots: Mapping[str, int],
    lists: Mapping[str, PlaceList],
    entrants: Mapping[uuid.UUID, Entrant],
) -> tuple[Award[uuid.UUID], ...]:
    """The awards of certain places, without agreements between players."""
    return awards_of(structure, pots, places_to_pay(lists), entrants)


def places_to_pay(lists: Mapping[str, PlaceList]) -> dict[str, tuple[EntryPlace, ...]]:
    """The places by bracket without the brackets that were not played."""
    places = {key: row.places for key, row in lists.items() if row.places or not row.is_over}
    return {FINAL_RANKING: (), **places} if PLAY_OFF in places else places


def entrants_of(tournament: Tournament, entries: Iterable[Entry]) -> dict[uuid.UUID, Entrant]:
    """Returns the facts that decide which prizes all entries of the tournament may win. Their players are loaded.

    A re-entry is in the side pools that its player keeps. Side pools missing from the fees are ignored.
    """
    rows, kept = list(entries), frozenset(kept_pools(tournament))
    schedule = parse_schedule(tournament.fees)
    pools = {
        entry.pk: frozenset(key for key in entry.pools if schedule is None or key in schedule.pool_names)
        for entry in rows
    }
    joined: dict[uuid.UUID, frozenset[str]] = defaultdict(frozenset)
    for entry in rows:
        joined[entry.player_id] |= kept & pools[entry.pk]
    return {
        entry.pk: Entrant(
            frozenset(map(Condition, entry.player.conditions)),
            joined[entry.player_id] | pools[entry.pk],
            entry.player_id,
            kept,
        )
        for entry in rows
    }


def kept_pools(tournament: Tournament) -> list[str]:
    schedule = parse_schedule(tournament.fees)
    return sorted(schedule.kept_pools) if schedule else []


def missing_added_money(tournament: Tournament, due: DuePrizes) -> dict[tuple[str, str, str], int]:
    """The money that the organizer still has to add to the pots, or to take out of them, by currency, pot and line.

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
    hedged: list[tuple[uuid.UUID, str, str, int]] = []
    for entry, currency, row, pot, line, minor in rows.values_list(
        "transaction__entry", "target__currency", "transaction", "target__name", "line", "amount"
    ):
        own = awarded.setdefault((entry, currency), _Awarded(Counter(), set()))
        own.prizes[pot, line] += minor
        own.rows.add(row)
        if pot == NO_POT:
            hedged.append((entry, currency, line, minor))
    hedges = hedges_of_lines(line for _entry, _currency, line, _minor in hedged)
    for payee, currency, line, minor in hedged:
        if line in hedges:
            payer = payer_of(hedges[line], payee).pk
            own = awarded.setdefault((payer, currency), _Awarded(Counter(), set()))
            own.prizes[NO_POT, line] -= minor
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
