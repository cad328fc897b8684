"""Assigns prizes to certain places, and compares the prizes before and after a correction. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.brackets import storage
from tournament.brackets.storage import Sheet
from tournament.draw.prizes import Prizes, Share, parse_prizes
from tournament.fees.amounts import Amount, current_currencies, exponent_of, fits_currency, format_amount
from tournament.fees.stored import parse_schedule
from tournament.models import Entry, Tournament
from tournament.money.due_awards import entrants_of, placed_awards, stored_structure
from tournament.money.pots import paid_into_pots
from tournament.places.certain import FactsAndSeating, list_places, stored_facts
from tournament.queries.standings.lines import StandingLine

Shares = Mapping[tuple[str, uuid.UUID], Share]


@dataclass(frozen=True, slots=True)
class PrizeChange:
    """An entry whose prize in a bracket would change; None means no prize."""

    bracket: str
    entry: uuid.UUID
    name: str
    before: Share | None
    after: Share | None


@dataclass(frozen=True, slots=True)
class PlacePrizes:
    """The prizes of places: `amounts` out of the pots by bracket and entry, and announced prizes.

    A tournament with a prize structure has no announced amounts, only labels such as a trophy.
    """

    announced: Prizes
    amounts: Mapping[tuple[str, uuid.UUID], Amount]
    besides: Mapping[tuple[str, uuid.UUID], tuple[str, ...]]

    def share(self, bracket: str, entry: uuid.UUID, span: tuple[int, int]) -> Share | None:
        """The prizes of an entry with the certain places of this span; None without any."""
        announced, amount = self.announced.share(bracket, *span), self.amounts.get((bracket, entry))
        besides = self.besides.get((bracket, entry), ())
        if amount is None and not besides:
            return announced
        return Share(
            amount.decimal if amount else None,
            announced.labels if announced else (),
            span[1] - span[0] + 1,
            amount.currency if amount else "",
            besides,
        )


def announced_prizes(tournament: Tournament) -> Prizes:
    prizes = parse_prizes(tournament.prizes)
    return prizes.without_amounts if tournament.prize_structure else prizes


def prizes_of_places(tournament: Tournament, sheet: Sheet | None = None) -> PlacePrizes:
    """The prizes that everybody may see. Reads places and pots only for a structure that is public."""
    structure = stored_structure(tournament)
    if structure is None or not structure.is_public:
        return PlacePrizes(announced_prizes(tournament), {}, {})
    sheet = sheet or storage.read(tournament)
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    pots, lists = (
        paid_into_pots(tournament, structure.currency),
        list_places(tournament, sheet, stored_facts(sheet)),
    )
    awards = placed_awards(structure, pots, lists, entrants_of(tournament, entries))
    pools = {pool.key: pool for pool in structure.pools}
    amounts: dict[tuple[str, uuid.UUID], Amount] = {}
    besides: dict[tuple[str, uuid.UUID], tuple[str, ...]] = {}
    for award in awards:
        amount = Amount(award.minor, structure.currency)
        if award.pot in pools:
            bracket = award.line.rpartition(" ")[0].removeprefix(f"pool {award.pot} ")
            key = bracket if bracket in lists else pools[award.pot].brackets[0], award.entry
            besides[key] = (*besides.get(key, ()), f"{_pool_name(tournament, award.pot)}: {_money(amount)}")
        else:
            key = award.line.rpartition(" ")[0], award.entry
            amounts[key] = amounts[key] + amount if key in amounts else amount
    return PlacePrizes(announced_prizes(tournament), amounts, besides)


def _pool_name(tournament: Tournament, key: str) -> str:
    schedule = parse_schedule(tournament.fees)
    names = {pool.key: pool.name for pool in schedule.pools} if schedule else {}
    return names.get(key) or _("Extra prize")


def with_prizes(prizes: PlacePrizes, bracket: str, lines: list[StandingLine]) -> list[StandingLine]:
    """Returns the lines with the prizes of places that are certain."""
    return [
        line
        if line.is_in
        else replace(line, prize=prizes.share(bracket, line.entry_id, (line.place_from, line.place_to)))
        for line in lines
    ]


def format_share(share: Share | None) -> str:
    """Returns “€75”, “Trophy”, both, or an empty string. Prizes that cannot be divided are marked as shared."""
    if share is None:
        return ""
    amount = [_format_amount(share)] if share.amount else []
    return ", ".join([*amount, *format_labels(share)])


def _format_amount(share: Share) -> str:
    """The amount with its currency; as it was announced if that is no currency in use or has fewer decimals."""
    if (
        share.amount is None
        or share.currency not in current_currencies()
        or not fits_currency(share.amount, share.currency)
    ):
        return f"{share.amount} {share.currency}".strip()
    return _money(Amount(int(share.amount.scaleb(exponent_of(share.currency))), share.currency))


def _money(amount: Amount) -> str:
    return format_amount(amount, get_language() or "en")


def format_labels(share: Share) -> list[str]:
    """Returns the prizes other than the amount."""
    shared = _("{label} (shared)") if share.among > 1 else "{label}"
    return [*(shared.format(label=label) for label in share.labels), *share.besides]


def prize_changes(
    tournament: Tournament,
    sheet: Sheet,
    before: FactsAndSeating,
    after: FactsAndSeating,
    names: Mapping[uuid.UUID, str],
) -> tuple[PrizeChange, ...]:
    """Returns the changed announced prizes by bracket, in the order of the prize lists, then by name."""
    prizes = announced_prizes(tournament)
    if not prizes.lists:
        return ()
    now, then = (_shares(tournament, sheet, prizes, resolved) for resolved in (before, after))
    changed = [key for key in {**now, **then} if now.get(key) != then.get(key)]
    return tuple(
        PrizeChange(bracket, entry, names[entry], now.get((bracket, entry)), then.get((bracket, entry)))
        for bracket, entry in sorted(
            changed, key=lambda key: (list(prizes.lists).index(key[0]), names[key[1]])
        )
    )


def _shares(tournament: Tournament, sheet: Sheet, prizes: Prizes, resolved: FactsAndSeating) -> Shares:
    lists = list_places(tournament, sheet, resolved)
    return {
        (bracket, place.entry): share
        for bracket in prizes.lists
        if bracket in lists
        for place in lists[bracket].certain
        if (share := prizes.share(bracket, place.place_from, place.place_to)) is not None
    }
