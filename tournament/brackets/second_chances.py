"""Lays out the brackets for losers again for the current entries, while nothing in them has begun.

The main bracket and its results do not change. The former layout is stored for the history.
"""

import uuid
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import Q, QuerySet

from matches import scorecard
from matches.locking import lock_matches
from matches.models import MatchState
from tournament.access.actors import Actor
from tournament.brackets import former_draws, storage
from tournament.brackets.advancing import LockedTournament, current_draw
from tournament.brackets.lengths import PlayedTo, played_to
from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.brackets.storage import GraphToStore
from tournament.draw.formats import Format, FormatError
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import BYE, FromEntry, FromPairing, Graph, GraphError, Outcome, Seat
from tournament.draw.recipes import apply_order
from tournament.draw.recipes.drops.knockout_format import SIMPLE
from tournament.draw.recipes.knockout import seed_lines
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Bracket, Correction, Feed, KeptSeat, Pairing, Round, Tournament
from tournament.occupancy import releasing

MAIN = "main"
SOMEBODY = uuid.UUID(int=0)
"""Stands for an entry that does not exist yet."""

SpotGraph = Graph[Any, uuid.UUID]


def can_be_laid_out_again(tournament: Tournament, seat: EntrySeat) -> bool:
    """True if `lay_out_again` would succeed once an entry takes the bye on this seat."""
    return (
        seat.bracket == MAIN
        and _is_untouched(tournament)
        and _desired_graph(tournament, taken_feed=seat.feed) is not None
    )


def depend_on_byes(tournament: Tournament) -> bool:
    """Returns True for a simple consolation: there losers of round 2 drop only if they had a bye in round 1."""
    return Format.from_json(tournament.format).consolation == SIMPLE


def lay_out_again(locked: LockedTournament, actor: Actor) -> list[Pairing]:
    """Replaces the brackets for losers; returns the pairings of the main bracket that fill them.

    Returns an empty list if it is too late, or if the main bracket itself would change.
    """
    tournament = locked.tournament
    graph = _desired_graph(tournament)
    rounds = _rounds(tournament)
    match_ids = Pairing.objects.filter(round__in=rounds).values_list("match_id", flat=True)
    matches = [locked_match.match for locked_match in lock_matches(match_ids).values()]
    if graph is None or not _is_untouched(tournament):
        return []
    settings = _settings_by_bracket(rounds)
    releasing.release_tables({match.pk for match in matches})
    former_draws.store_former_sheet(tournament, list(rounds.values_list("pk", flat=True)))
    rounds.delete()
    scorecard.discard(matches)
    main = list(_main_pairings(tournament))
    stored: dict[Hashable, Pairing] = {(MAIN, row.round.number, row.line): row for row in main}
    lengths = {
        key: [setting.to for setting in bracket_settings] for key, bracket_settings in settings.items()
    }
    storage.write(locked, GraphToStore(graph, lengths=lengths, stored=stored))
    _restore_clocks(tournament, settings)
    journal.write(tournament, actor, JournalEntry("lay out again", "tournament", tournament.pk))
    return main


@dataclass(frozen=True, slots=True)
class _RoundSettings:
    """The settings of a round that a director can change."""

    to: PlayedTo
    point_seconds: int | None
    move_seconds: int | None


def _settings_by_bracket(rounds: QuerySet[Round]) -> dict[str, list[_RoundSettings]]:
    """Returns the settings by bracket, from the last round backwards."""
    settings_by_bracket: dict[str, list[_RoundSettings]] = {}
    for row in rounds.order_by("-number").select_related("bracket"):
        settings = _RoundSettings(played_to(row), row.point_seconds, row.move_seconds)
        settings_by_bracket.setdefault(row.bracket.key, []).append(settings)
    return settings_by_bracket


def _restore_clocks(tournament: Tournament, settings: dict[str, list[_RoundSettings]]) -> None:
    rounds_by_bracket: dict[str, list[Round]] = {}
    for row in _rounds(tournament).order_by("-number").select_related("bracket"):
        rounds_by_bracket.setdefault(row.bracket.key, []).append(row)
    for key, bracket_rounds in rounds_by_bracket.items():
        for row, round_settings in zip(bracket_rounds, settings.get(key, ()), strict=False):
            row.point_seconds, row.move_seconds = round_settings.point_seconds, round_settings.move_seconds
            row.save(update_fields=["point_seconds", "move_seconds"])


def _main_pairings(tournament: Tournament) -> QuerySet[Pairing]:
    rows = Pairing.objects.filter(round__bracket__tournament=tournament, round__bracket__key=MAIN)
    return rows.select_related("round__bracket", "match").order_by("round__number", "line")


def _rounds(tournament: Tournament) -> QuerySet[Round]:
    """The rounds of the brackets for losers."""
    side_brackets = Bracket.objects.filter(tournament=tournament, jackpot__isnull=True).exclude(key=MAIN)
    return Round.objects.filter(bracket__in=side_brackets)


def _is_untouched(tournament: Tournament) -> bool:
    """True if no fact refers to a pairing of these brackets: no result, no begun match, no entry seated by hand."""
    rows = Pairing.objects.filter(round__in=_rounds(tournament))
    pairings = set(rows.values_list("pk", flat=True))
    begun = Q(match__began_at__isnull=False) | Q(match__state=MatchState.DISPUTED) | Q(results__isnull=False)
    cancelled = Correction.objects.filter(tournament=tournament).values_list("cancelled", flat=True)
    return not (
        rows.filter(begun).exists()
        or Feed.objects.filter(target__in=rows, entry__isnull=False).exists()
        or KeptSeat.objects.filter(pairing__in=rows).exists()
        or Correction.objects.filter(pairing__in=rows).exists()
        or any(
            cancelled_row["pairing"] in pairings
            for rows_of_correction in cancelled
            for cancelled_row in rows_of_correction
        )
    )


def _desired_graph(tournament: Tournament, taken_feed: int | None = None) -> SpotGraph | None:
    """Returns the graph of the drawn format on the seats of the main bracket, with the bye on feed `taken` filled.

    Returns None if the format would not have this main bracket.
    """
    draw = current_draw(tournament)
    plan = Format.from_json(draw.recipe["format"] if draw else tournament.format)
    if not plan.has_sheet:
        return None
    order = _current_order([seat for seat in entry_seats(tournament) if seat.bracket == MAIN], taken_feed)
    empty = frozenset(position for position, entry in enumerate(order, 1) if entry is None)
    try:
        laid = layout(plan, len(order) - len(empty), empty).graph
        graph = apply_order(laid, [BYE if entry is None else entry for entry in order])
    except (FormatError, GraphError):
        return None
    return graph if _has_same_main(graph, _stored_sources(tournament, taken_feed)) else None


def _current_order(seats: list[EntrySeat], taken_feed: int | None) -> list[uuid.UUID | None]:
    """Returns the current entry at each position of the sheet."""
    order: list[uuid.UUID | None] = [None] * len(seats)
    lines = seed_lines((len(seats) - 1).bit_length())
    for seat in seats:
        index = 2 * (seat.line - 1) + (seat.seat is Seat.RIGHT)
        if seat.round == 1 and index < len(seats):
            order[lines[index] - 1] = SOMEBODY if seat.feed == taken_feed else seat.entry
    return order


Sources: TypeAlias = tuple[object, ...]
"""The sources of a pairing's two seats, left and right."""


def _has_same_main(graph: SpotGraph, stored: Mapping[Hashable, Sources]) -> bool:
    """Compares the main bracket with the stored one. The seats of a pairing may be swapped if no first loss drops from
    it.
    """
    by_side = {
        source.pairing
        for pairing in graph
        for _, source in pairing.seats
        if isinstance(source, FromPairing) and source.outcome is Outcome.FIRST_LOSS
    }
    sources_by_pairing: dict[Hashable, Sources] = {
        pairing.key: tuple(source for _, source in pairing.seats)
        for pairing in graph
        if pairing.bracket == MAIN
    }
    return sources_by_pairing.keys() == stored.keys() and all(
        sources == stored[key] or (key not in by_side and sources == stored[key][::-1])
        for key, sources in sources_by_pairing.items()
    )


def _stored_sources(tournament: Tournament, taken_feed: int | None) -> dict[Hashable, Sources]:
    """Returns the sources of each pairing of the stored main bracket, by round and line."""
    stored = storage.read(tournament).graph
    spots = {pairing.key: (pairing.bracket, pairing.round, pairing.line) for pairing in stored}
    taken_seats = {(seat.pairing, seat.seat) for seat in entry_seats(tournament) if seat.feed == taken_feed}

    def by_spot(key: Any, seat: Seat, source: object) -> object:
        if isinstance(source, FromPairing):
            return FromPairing(spots[source.pairing], source.outcome)
        return FromEntry(SOMEBODY) if (key, seat) in taken_seats else source

    return {
        spots[pairing.key]: tuple(by_spot(pairing.key, seat, source) for seat, source in pairing.seats)
        for pairing in stored
        if pairing.bracket == MAIN
    }
