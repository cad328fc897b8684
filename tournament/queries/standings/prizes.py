"""Assigns prizes to certain places, and compares the prizes before and after a correction. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.brackets.storage import Sheet
from tournament.draw.prizes import Prizes, Share, parse_prizes
from tournament.models import Tournament
from tournament.places.certain import FactsAndSeating, list_places
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


def with_prizes(tournament: Tournament, bracket: str, lines: list[StandingLine]) -> list[StandingLine]:
    """Returns the lines with the prizes of places that are certain."""
    prizes = parse_prizes(tournament.prizes)
    if bracket not in prizes.lists:
        return lines
    return [
        line if line.is_in else replace(line, prize=prizes.share(bracket, line.place_from, line.place_to))
        for line in lines
    ]


def format_share(share: Share | None, currency: str) -> str:
    """Returns “75.00 EUR”, “Trophy”, both, or an empty string. Prizes that cannot be divided are marked as shared."""
    if share is None:
        return ""
    amount = [f"{share.amount} {currency}".strip()] if share.amount else []
    return ", ".join([*amount, *format_labels(share)])


def format_labels(share: Share) -> list[str]:
    """Returns the prizes other than the amount."""
    shared = _("{label} (shared)") if share.among > 1 else "{label}"
    return [shared.format(label=label) for label in share.labels]


def prize_changes(
    tournament: Tournament,
    sheet: Sheet,
    before: FactsAndSeating,
    after: FactsAndSeating,
    names: Mapping[uuid.UUID, str],
) -> tuple[PrizeChange, ...]:
    """Returns the changed prizes by bracket, in the order of the prize lists, then by name."""
    prizes = parse_prizes(tournament.prizes)
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
