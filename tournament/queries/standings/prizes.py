"""What prize falls to whom, once places are certain, and what a correction would make of it. Reads only."""

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
from tournament.queries.standings.by_record import Rows, States, table_standings
from tournament.queries.standings.lines import StandingShown

Known = tuple[Facts[int, uuid.UUID], Seating[int, uuid.UUID]]
Shares = Mapping[tuple[str, uuid.UUID], Share]


@dataclass(frozen=True, slots=True)
class PrizeAffected:
    """Somebody whose prize in a bracket would be another; None where there is none."""

    bracket: str
    entry: uuid.UUID
    name: str
    before: Share | None
    after: Share | None


def with_prizes(tournament: Tournament, bracket: str, lines: list[StandingShown]) -> list[StandingShown]:
    """The lines of a list of places with what falls on each place that is certain."""
    prizes = parse_prizes(tournament.prizes)
    if bracket not in prizes.lists:
        return lines
    return [
        line if line.is_in else replace(line, prize=prizes.share(bracket, line.place_from, line.place_to))
        for line in lines
    ]


def share_told(share: Share | None, currency: str) -> str:
    """“75.00 EUR”, “Trophy”, or both; empty for none. What cannot be divided is told as shared."""
    if share is None:
        return ""
    amount = [f"{share.amount} {currency}".strip()] if share.amount else []
    return ", ".join([*amount, *labels_told(share)])


def labels_told(share: Share) -> list[str]:
    """Everything but the amount."""
    shared = _("{label} (shared)") if share.among > 1 else "{label}"
    return [shared.format(label=label) for label in share.labels]


def prizes_affected(
    tournament: Tournament, sheet: Sheet, before: Known, after: Known, names: Mapping[uuid.UUID, str]
) -> tuple[PrizeAffected, ...]:
    """Whose prize would be another: the best brackets first, in the order of names."""
    prizes = parse_prizes(tournament.prizes)
    if not prizes.lists:
        return ()
    now, then = (_shares(tournament, sheet, prizes, known) for known in (before, after))
    changed = [one for one in {**now, **then} if now.get(one) != then.get(one)]
    return tuple(
        PrizeAffected(bracket, entry, names[entry], now.get((bracket, entry)), then.get((bracket, entry)))
        for bracket, entry in sorted(
            changed, key=lambda one: (list(prizes.lists).index(one[0]), names[one[1]])
        )
    )


def _shares(tournament: Tournament, sheet: Sheet, prizes: Prizes, known: Known) -> Shares:
    facts, seating = known
    found: dict[tuple[str, uuid.UUID], Share] = {}
    for bracket in Bracket.objects.filter(tournament=tournament, key__in=prizes.lists):
        spans = _spans_of_table if bracket.shape == Shape.TABLE else _spans_of_tree
        for entry, place_from, place_to in spans(tournament, sheet, bracket.key, (facts, seating)):
            share = prizes.share(bracket.key, place_from, place_to)
            if share is not None:
                found[bracket.key, entry] = share
    return found


def _spans_of_tree(
    _tournament: Tournament, sheet: Sheet, key: str, known: Known
) -> Iterable[tuple[uuid.UUID, int, int]]:
    drawn = {row.bracket for row in sheet.rows.values()}
    together = [one for one in RANKED_TOGETHER if one in drawn] if key in RANKED_TOGETHER else [key]
    above = [one for one in RANKED_ABOVE if one in drawn] if key in RANKED_TOGETHER else []
    return [
        (one.entry, one.place_from, one.place_to)
        for one in knockout_places(sheet.graph, known[1], together, above)
        if not one.still_in
    ]


def _spans_of_table(
    tournament: Tournament, sheet: Sheet, key: str, known: Known
) -> Iterable[tuple[uuid.UUID, int, int]]:
    states = {pk: known[1][pk] for pk, row in sheet.rows.items() if row.bracket == key}
    ranked = table_standings(tournament, sheet.rows, known[0], states)
    if ranked.still_in or not is_played_out(tournament, sheet.rows, states):
        return []
    return [(one.entry, one.place_from, one.place_to) for one in ranked.standings]


def is_played_out(tournament: Tournament, rows: Rows, states: States) -> bool:
    """Whether no match of a table is to come; of an event with lives its `still_in` says that besides."""
    chosen = Format.from_json(tournament.format)
    drawn = {rows[key].round for key in states}
    return all(state.result.how is not None for state in states.values()) and (
        not chosen.is_growing or chosen.rounds <= len(drawn)
    )
