"""Loads brackets as pages, files and the API show them, in a constant number of statements."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet, Sum

from tournament.access.draw_visibility import released_draws
from tournament.access.score_visibility import (
    LIVE,
    MatchFacts,
    ScoreVisibility,
    VisibleMatch,
    score_visibility,
    visible_matches,
    visible_stamps,
)
from tournament.brackets.round_basis import has_planned_times
from tournament.models import Bracket, Pairing, Result, Round, Shape, Tournament
from tournament.queries.brackets.bracket_context import BracketContext, PairingResult, load_contexts
from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView, SeatView
from tournament.queries.brackets.pairing_state import decided_how, pairing_state
from tournament.queries.brackets.round_names import round_codes
from tournament.runtime.errors import NotFound

PAIRING_FIELDS = (
    "id",
    "round_id",
    "line",
    "left_id",
    "right_id",
    "left_is_bye",
    "right_is_bye",
    "winner_id",
    "settled",
    "match_id",
    "match__state",
    "match__left",
    "match__left_points",
    "match__right_points",
    "match__is_crawford",
    "match__version",
)


class PairingRow(NamedTuple):
    """A stored pairing with its match: `PAIRING_FIELDS`, and whether the match has begun."""

    id: int
    round_id: int
    line: int
    left_id: uuid.UUID | None
    right_id: uuid.UUID | None
    left_is_bye: bool
    right_is_bye: bool
    winner_id: uuid.UUID | None
    settled: str
    match_id: uuid.UUID | None
    match_state: str | None
    match_left: uuid.UUID | None
    left_points: int | None
    right_points: int | None
    is_crawford: bool | None
    version: int | None
    has_begun: bool


def bracket_view(tournament: Tournament, key: str = "main", *, live: bool = False) -> BracketView:
    """The bracket with this key; raises NotFound before the first draw.

    `live` shows running scores without the delay for spectators.
    """
    rounds = list(_rounds_of([tournament]).filter(bracket__key=key))
    bracket = rounds[0].bracket if rounds else Bracket.objects.filter(tournament=tournament, key=key).first()
    if bracket is None:
        raise NotFound
    return _bracket_views([tournament], [bracket], rounds, score_visibility(tournament, live=live))[0]


def bracket_views(tournament: Tournament, *, live: bool = False) -> list[BracketView]:
    """Every bracket that has rounds, in drawn order; `live` as in `bracket_view`."""
    rounds = list(_rounds_of([tournament]))
    brackets = {row.bracket_id: row.bracket for row in rounds}
    return _bracket_views(
        [tournament], list(brackets.values()), rounds, score_visibility(tournament, live=live)
    )


def live_bracket_views(tournaments: Sequence[Tournament]) -> dict[uuid.UUID, list[BracketView]]:
    """The brackets of `bracket_views` with live scores, by tournament. Tournaments without a draw are missing."""
    rounds = list(_rounds_of(tournaments))
    brackets = {row.bracket_id: row.bracket for row in rounds}
    views: dict[uuid.UUID, list[BracketView]] = {}
    for view in _bracket_views(tournaments, list(brackets.values()), rounds, LIVE):
        views.setdefault(brackets[view.id].tournament_id, []).append(view)
    return views


def _rounds_of(tournaments: Sequence[Tournament]) -> QuerySet[Round]:
    rounds = Round.objects.filter(bracket__tournament__in=tournaments).select_related("bracket")
    return rounds.order_by("bracket__position", "number")


def stamp_of(tournament: Tournament, key: str = "main", *, live: bool = False) -> str:
    """The stamp of `bracket_view`, empty if there is no such bracket.

    One statement; two if scores are delayed.
    """
    visibility = score_visibility(tournament, live=live)
    if not visibility.is_live:
        row = Bracket.objects.filter(tournament=tournament, key=key).values_list("pk", "version").first()
        return _stamp(row[1], visible_stamps([row[0]], visibility)[row[0]]) if row else ""
    versions = (
        Bracket.objects.filter(tournament=tournament, key=key)
        .annotate(live=Sum("rounds__pairings__match__version"))
        .values_list("version", "live")
        .first()
    )
    return _stamp(versions[0], versions[1] or 0) if versions else ""


def _stamp(version: int, live: int | str) -> str:
    return f"{version}-{live}"


def _bracket_views(
    tournaments: Sequence[Tournament],
    brackets: Sequence[Bracket],
    rounds: Sequence[Round],
    visibility: ScoreVisibility,
) -> list[BracketView]:
    released = set(released_draws.filter(tournament__in=tournaments).values_list("tournament_id", flat=True))
    rows = load_rows(brackets)
    visible = {} if visibility.is_live else _visible_matches(rows, visibility)
    contexts = load_contexts(tournaments, brackets)
    rounds_by_id = {row.pk: row for row in rounds}
    pairings: dict[int, list[PairingView]] = {pk: [] for pk in rounds_by_id}
    for row in rows:
        if row.round_id in rounds_by_id:
            round_row = rounds_by_id[row.round_id]
            context = contexts[round_row.bracket.tournament_id]
            pairings[row.round_id].append(_pairing(_with_visible_match(row, visible), round_row, context))
    bracket_ids = [bracket.pk for bracket in brackets]
    planned = {tournament.pk: tournament.planned_times for tournament in tournaments}
    live = _live_stamps(rows, rounds_by_id) if visibility.is_live else visible_stamps(bracket_ids, visibility)
    return [
        BracketView(
            id=bracket.pk,
            key=bracket.key,
            shape=bracket.shape,
            version=bracket.version,
            stamp=_stamp(bracket.version, live.get(bracket.pk, 0)),
            is_released=bracket.tournament_id in released,
            rounds=_rounds(
                bracket,
                [row for row in rounds if row.bracket_id == bracket.pk],
                pairings,
                contexts[bracket.tournament_id],
                planned[bracket.tournament_id] if has_planned_times(bracket.key) else {},
            ),
        )
        for bracket in brackets
    ]


def _live_stamps(rows: Iterable[PairingRow], rounds: Mapping[int, Round]) -> Mapping[uuid.UUID, int]:
    live: Counter[int] = Counter()
    for pairing in rows:
        live[pairing.round_id] += pairing.version or 0
    stamps: Counter[uuid.UUID] = Counter()
    for pk, row in rounds.items():
        stamps[row.bracket_id] += live[pk]
    return stamps


def _rounds(
    bracket: Bracket,
    rows: Sequence[Round],
    pairings: Mapping[int, Sequence[PairingView]],
    context: BracketContext,
    planned: Mapping[int, datetime],
) -> tuple[RoundView, ...]:
    last = pairings[rows[-1].pk] if rows else ()
    names = round_codes(
        [(row.number, len(pairings[row.pk])) for row in rows],
        is_table=bracket.shape == Shape.TABLE,
        plays_again=any(pairing.is_second_final for pairing in last),
        leads_on=bracket.key in context.leading_on,
    )
    return tuple(
        RoundView(
            row.pk,
            row.number,
            name,
            row.length,
            tuple(pairings[row.pk]),
            row.games,
            row.minutes,
            planned.get(row.number),
        )
        for row, name in zip(rows, names, strict=True)
    )


def _visible_matches(
    rows: Iterable[PairingRow], visibility: ScoreVisibility
) -> dict[uuid.UUID, VisibleMatch]:
    matches = (
        MatchFacts(
            row.match_id,
            row.match_state,
            row.has_begun,
            row.left_points,
            row.right_points,
            bool(row.is_crawford),
        )
        for row in rows
        if row.match_id is not None and row.match_state is not None
    )
    return visible_matches(matches, visibility)


def _with_visible_match(row: PairingRow, visible: Mapping[uuid.UUID, VisibleMatch]) -> PairingRow:
    match = visible.get(row.match_id) if row.match_id is not None else None
    if match is None:
        return row
    return row._replace(
        left_points=match.left,
        right_points=match.right,
        is_crawford=match.is_crawford,
        match_state=match.state,
    )


def _pairing(row: PairingRow, round_row: Round, context: BracketContext) -> PairingView:
    result = context.posted.get(row.id)
    number = context.numbers.get(row.id)
    return PairingView(
        id=row.id,
        number=number.number if number else None,
        called=number.called if number else "",
        round=round_row.number,
        line=row.line,
        left=_seat(row, "left", result, context),
        right=_seat(row, "right", result, context),
        length=round_row.length,
        games=round_row.games,
        minutes=round_row.minutes,
        state=pairing_state(
            row.settled, row.match_state, is_posted=result is not None, has_begun=row.has_begun
        ),
        how=decided_how(row.settled, result.kind if result else None),
        is_crawford=bool(row.is_crawford) and result is None,
        is_second_final=row.id in context.second_finals,
        match_id=row.match_id,
        table=context.tables.get(row.id, ""),
        onward=context.onward.get(row.id),
    )


def _points(row: PairingRow, seat: str, entry: uuid.UUID, result: PairingResult | None) -> int | None:
    """The points of the result, or of the running score once the match has begun."""
    if result is not None:
        return result.left if seat == "left" else result.right
    if not row.has_begun or row.settled:
        return None
    return row.left_points if entry == row.match_left else row.right_points


def _seat(row: PairingRow, seat: str, result: PairingResult | None, context: BracketContext) -> SeatView:
    """The seat; empty if its entry was removed after the rows were read."""
    is_left = seat == "left"
    if row.left_is_bye if is_left else row.right_is_bye:
        return SeatView(is_bye=True)
    entry = row.left_id if is_left else row.right_id
    entrant = None if entry is None else context.entrants.get(entry)
    if entry is None or entrant is None:
        return SeatView(coming=context.coming.get((row.id, seat)))
    return SeatView(
        entry_id=entry,
        name=entrant.name,
        country=entrant.country,
        club=entrant.club,
        seed=entrant.seed,
        is_withdrawn=entrant.is_withdrawn,
        points=_points(row, seat, entry, result),
        is_winner=entry == (result.winner if result else row.winner_id),
        coming=context.coming.get((row.id, seat)),
    )


def load_rows(brackets: Sequence[Bracket]) -> list[PairingRow]:
    rows = Pairing.objects.filter(round__bracket__in=brackets).order_by("round__number", "line")
    begun = rows.annotate(has_begun=Q(match__began_at__isnull=False))
    return [PairingRow(*values) for values in begun.values_list(*PAIRING_FIELDS, "has_begun")]


def confirmations(tournament: Tournament) -> dict[int, tuple[str, datetime]]:
    """Returns the confirmer and the posting time of each current result, by pairing id."""
    current = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    )
    rows = current.values_list("pairing_id", "confirmed_by", "posted_at")
    return {pairing: (confirmer, posted.replace(microsecond=0)) for pairing, confirmer, posted in rows}
