"""The pots of a tournament as the page of its prizes shows them, and the prizes they pay. Reads only."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tournament.draw.formats import Format
from tournament.fees.amounts import Amount
from tournament.fees.schedule import MAIN_POT, FeeSchedule
from tournament.fees.stored import parse_schedule
from tournament.models import Entry, Tournament
from tournament.money.due_awards import stored_structure
from tournament.money.pots import paid_into_pots
from tournament.prizes.own_templates import parse_template
from tournament.prizes.stored import parse_structure
from tournament.prizes.structure import Feat, Part, PotMoney, PrizeStructure, main_pot
from tournament.prizes.table import PrizeTable, pool_table, prize_table
from tournament.prizes.templates import Field, field_of
from tournament.queries.money.cash_desk import usual_currency
from tournament.queries.money.expected_wins import expected_wins


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """The prize of each of the places `first` to `last` of a bracket, or of each holder of a feat."""

    bracket: str
    first: int
    last: int
    amount: Amount
    percent: str
    feat: Feat | None = None

    @property
    def place_text(self) -> str:
        """“3” or “3–4”."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class PoolLine:
    """A side pool with its prizes from the first on. `key` is its key."""

    key: str
    name: str
    pot: Amount
    prizes: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class PrizePreview:
    """The prizes of a structure out of the present pots. `rest`: the money that rounding leaves in the main pot.

    `expected_wins`: the number of wins that the amounts of places expect, if wins are paid. `bubble`: entries that
    just miss the prizes will share them.
    """

    paid_in: Amount
    added: Amount
    set_aside: Amount
    yearly: Amount
    total: Amount
    lines: tuple[PrizeLine, ...]
    pools: tuple[PoolLine, ...]
    rest: Amount
    expected_wins: int = 0
    bubble: bool = False


def tournament_currency(tournament: Tournament) -> str:
    """The currency of the fees, else of the stored prizes, else the usual one of the event."""
    schedule, stored = parse_schedule(tournament.fees), parse_structure(tournament.prize_structure)
    return schedule.currency if schedule else stored.currency if stored else usual_currency(tournament.event)


def own_templates(tournament: Tournament, currency: str) -> dict[str, tuple[Part, ...]]:
    """The parts of each template of the organizer by name, with amounts in this currency."""
    organizer = tournament.event.organizer
    templates = organizer.prize_templates if organizer else {}
    return {name: parse_template(stored, currency) for name, stored in templates.items()}


def field_of_tournament(tournament: Tournament, currency: str) -> Field:
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    return field_of(Format.from_json(tournament.format), entries, currency)


def preview_prizes(
    tournament: Tournament, structure: PrizeStructure, schedule: FeeSchedule | None
) -> PrizePreview:
    pots = paid_into_pots(tournament, structure.currency)
    names = schedule.pool_names if schedule else {}
    main = main_pot(structure, pots.get(MAIN_POT, 0))
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    wins = expected_wins(structure, Format.from_json(tournament.format), entries)
    table = prize_table(structure, main.paid_in, wins)

    def amount(minor: int) -> Amount:
        return Amount(minor, structure.currency)

    return PrizePreview(
        amount(main.paid_in),
        amount(main.added),
        amount(main.set_aside),
        amount(main.yearly),
        amount(main.prizes),
        tuple(_lines(structure, table, main)),
        tuple(_pools(structure, pots, names)),
        amount(table.rest),
        sum(wins.values()),
        structure.bubble,
    )


def public_prizes(tournament: Tournament) -> PrizePreview | None:
    """The prizes that everybody may see; None if there are none."""
    structure = stored_structure(tournament)
    if structure is None or not structure.is_public:
        return None
    return preview_prizes(tournament, structure, parse_schedule(tournament.fees))


def _lines(structure: PrizeStructure, table: PrizeTable, main: PotMoney) -> Iterator[PrizeLine]:
    for part in structure.parts:
        for first, last, minor in _equal_places(part, table):
            percent = Decimal(100 * minor) / main.prizes if main.prizes else Decimal(0)
            yield PrizeLine(
                part.bracket, first, last, Amount(minor, structure.currency), f"{percent:.1f}", part.feat
            )


def _equal_places(part: Part, table: PrizeTable) -> Iterator[tuple[int, int, int]]:
    """Neighbouring places of a part with equal prizes: the first, the last, and the minor units of each."""
    if part.feat:
        yield part.place_from, part.place_to, table.feats.get((part.bracket, part.feat), part.minor)
        return
    places = table.places[part.bracket]
    first = part.place_from
    for place in range(part.place_from, part.place_to + 1):
        if place == part.place_to or places[place + 1] != places[first]:
            yield first, place, places[first]
            first = place + 1


def _pools(
    structure: PrizeStructure, pots: Mapping[str, int], names: Mapping[str, str]
) -> Iterator[PoolLine]:
    for pool in structure.pools:
        money = pots.get(pool.key, 0) + pool.added
        prizes = pool_table(structure, pool, money)
        yield PoolLine(
            pool.key,
            names.get(pool.key, ""),
            Amount(money, structure.currency),
            tuple(Amount(minor, structure.currency) for minor in prizes.values()),
        )
