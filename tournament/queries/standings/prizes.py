"""Assigns prizes to certain places, and compares the prizes before and after a correction. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.prizes import Prizes, Share, parse_prizes
from tournament.draw.seating import Facts, Seating
from tournament.draw.standings.knockout_places import knockout_places
from tournament.models import Bracket, Shape, Tournament
from tournament.queries.brackets.labels import RANKED_ABOVE, RANKED_TOGETHER
from tournament.queries.standings.by_record import Rows, States, rank_by_record
from tournament.queries.standings.lines import StandingLine

FactsAndSeating = tuple[Facts[int, uuid.UUID], Seating[int, uuid.UUID]]
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
    facts, seating = resolved
    shares: dict[tuple[str, uuid.UUID], Share] = {}
    for bracket in Bracket.objects.filter(tournament=tournament, key__in=prizes.lists):
        places = _places_in_record_bracket if bracket.shape == Shape.TABLE else _places_in_tree
        for entry, place_from, place_to in places(tournament, sheet, bracket.key, (facts, seating)):
            share = prizes.share(bracket.key, place_from, place_to)
            if share is not None:
                shares[bracket.key, entry] = share
    return shares


def _places_in_tree(
    _tournament: Tournament, sheet: Sheet, key: str, resolved: FactsAndSeating
) -> Iterable[tuple[uuid.UUID, int, int]]:
    drawn = {row.bracket for row in sheet.rows.values()}
    together = [name for name in RANKED_TOGETHER if name in drawn] if key in RANKED_TOGETHER else [key]
    above = [name for name in RANKED_ABOVE if name in drawn] if key in RANKED_TOGETHER else []
    return [
        (placing.entry, placing.place_from, placing.place_to)
        for placing in knockout_places(sheet.graph, resolved[1], together, above)
        if not placing.still_in
    ]


def _places_in_record_bracket(
    tournament: Tournament, sheet: Sheet, key: str, resolved: FactsAndSeating
) -> Iterable[tuple[uuid.UUID, int, int]]:
    states = {pk: resolved[1][pk] for pk, row in sheet.rows.items() if row.bracket == key}
    ranked = rank_by_record(tournament, sheet.rows, resolved[0], states)
    if ranked.still_in or not is_played_out(tournament, sheet.rows, states):
        return []
    return [(standing.entry, standing.place_from, standing.place_to) for standing in ranked.standings]


def is_played_out(tournament: Tournament, rows: Rows, states: States) -> bool:
    """Returns True if no match of the bracket is left. Events with lives also need an empty `still_in`."""
    chosen = Format.from_json(tournament.format)
    drawn = {rows[key].round for key in states}
    return all(state.result.how is not None for state in states.values()) and (
        not chosen.is_growing or chosen.rounds <= len(drawn)
    )
