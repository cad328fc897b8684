"""Visibility of undecided matches: the one place that decides what a reader may know of a running score. Reads only.

Spectators see running scores immediately, delayed by minutes, or not before the result. The players of the match and
the desk always see them immediately. The start of a match and its result are public. A delayed score uses the rows
written before the delay. For delayed readers a reported or disputed match is in play until its result is posted, since
its state reveals the end. The number of statements depends on public facts only.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.utils import timezone

from matches.card_totals import CardTotals, card_totals
from matches.models import CardRow, Match, MatchState
from tournament.access.actors import Actor
from tournament.access.permissions import Capability, may
from tournament.models import Bracket, Pairing, Room, Tournament

UNDECIDED = (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)
IN_A_BRACKET = "rounds__pairings__match"


class MatchFacts(NamedTuple):
    """The stored facts of a match. Points are by the sides of the match."""

    id: uuid.UUID
    state: str
    has_begun: bool
    left: int | None
    right: int | None
    is_crawford: bool

    @classmethod
    def of(cls, match: Match) -> Self:
        return cls(
            match.pk,
            match.state,
            match.has_begun,
            match.left_points,
            match.right_points,
            match.is_crawford,
        )


class VisibleMatch(NamedTuple):
    """The part of a match that a reader may know. Points are None if hidden, and before the match has begun."""

    state: str
    left: int | None = None
    right: int | None = None
    is_crawford: bool = False


@dataclass(frozen=True, slots=True)
class ScoreVisibility:
    """The delay for one reader. Rows written after `until` are not visible; `is_hidden` hides every score.

    `mark` is part of every stamp, so that a changed delay changes the stamp.
    """

    until: datetime | None = None
    is_hidden: bool = False
    mark: str = ""

    @property
    def is_live(self) -> bool:
        return self.until is None and not self.is_hidden


LIVE = ScoreVisibility()


def are_scores_private(tournament: Tournament) -> bool:
    """True if spectators do not see running scores immediately."""
    return tournament.score_delay != 0


def is_score_private(pairing: Pairing) -> bool:
    """True if the score of this match is now for the desk and its players only."""
    is_posted = pairing.match is not None and pairing.match.state == MatchState.POSTED
    return are_scores_private(pairing.round.bracket.tournament) and not is_posted


def is_insider(
    actors: Sequence[Actor], tournament: Tournament, players: Collection[uuid.UUID | None] = ()
) -> bool:
    """True if one of the actors works at the desk, or is one of these entries: the players of the match."""
    if any(actor.entry is not None and actor.entry.pk in players for actor in actors):
        return True
    return any(may(actor, tournament.event, Capability.DESK) for actor in actors)


def sees_live_scores(
    actors: Sequence[Actor], tournament: Tournament, players: Collection[uuid.UUID | None] = ()
) -> bool:
    """True if these actors see running scores immediately: everybody does, or they are insiders."""
    return not are_scores_private(tournament) or is_insider(actors, tournament, players)


def score_visibility(tournament: Tournament, *, live: bool = False) -> ScoreVisibility:
    """The visibility for spectators of this tournament; `live`: for a reader who `sees_live_scores`."""
    minutes = tournament.score_delay
    if live or minutes == 0:
        return LIVE
    if minutes is None:
        return ScoreVisibility(is_hidden=True, mark="h")
    return ScoreVisibility(until=timezone.now() - timedelta(minutes=minutes), mark=f"{minutes}m")


def visible_matches(
    matches: Iterable[MatchFacts], visibility: ScoreVisibility
) -> dict[uuid.UUID, VisibleMatch]:
    """Returns what the reader may know of these matches, by id. Takes one statement if one of them is delayed."""
    matches = list(matches)
    delayed = [match.id for match in matches if match.state in UNDECIDED and match.has_begun]
    earlier = _matches_at(delayed, visibility.until) if visibility.until is not None and delayed else {}
    return {match.id: _visible(match, visibility, earlier) for match in matches}


def visible_match(match: Match, visibility: ScoreVisibility) -> VisibleMatch:
    """Like `visible_matches`, for one match."""
    return visible_matches([MatchFacts.of(match)], visibility)[match.pk]


def visible_card(match: Match, visibility: ScoreVisibility) -> CardTotals | None:
    """Returns the totals of the card that the visible score of an undecided match comes from.

    None before the match has begun, and while its score is hidden.
    """
    if match.state not in UNDECIDED or not match.has_begun or visibility.is_hidden:
        return None
    rows = CardRow.objects.filter(card__match=match).select_related("card__match")
    if visibility.until is not None:
        rows = rows.filter(written_at__lte=visibility.until)
    return _totals_after(list(rows.order_by("written_at", "number")))


def visible_stamps(brackets: Collection[uuid.UUID], visibility: ScoreVisibility) -> dict[uuid.UUID, str]:
    """Returns a stamp of each bracket. It changes when a match begins or is called, or a row becomes visible.

    One statement. For a visibility that is not live.
    """
    is_open = Q(**{f"{IN_A_BRACKET}__state__in": UNDECIDED})
    begun = is_open & Q(**{f"{IN_A_BRACKET}__began_at__isnull": False})
    counts = {"begun": Count(IN_A_BRACKET, filter=begun, distinct=True)}
    if visibility.until is not None:
        written = is_open & Q(**{f"{IN_A_BRACKET}__cards__rows__written_at__lte": visibility.until})
        counts["written"] = Count(f"{IN_A_BRACKET}__cards__rows", filter=written, distinct=True)
    room = Room.objects.filter(event=OuterRef("tournament__event")).values("version")
    rows_of_brackets = Bracket.objects.filter(pk__in=brackets).annotate(room=Subquery(room), **counts)
    rows = rows_of_brackets.values_list("pk", "room", *counts)
    return {pk: ".".join([visibility.mark, *map(str, values)]) for pk, *values in rows}


def visible_stamp(match: Match, visibility: ScoreVisibility) -> str:
    """Returns a stamp that changes with the visible part of a match."""
    if visibility.is_live or match.state not in UNDECIDED:
        return f"{match.version}-{match.state}"
    until = visibility.until
    written = CardRow.objects.filter(card__match=match, written_at__lte=until).count() if until else 0
    called = match.calls.filter(ended_at__isnull=True).values_list("table").first()
    return f"{visibility.mark}-{match.has_begun}-{called}-{written}"


def _visible(
    match: MatchFacts, visibility: ScoreVisibility, earlier: Mapping[uuid.UUID, VisibleMatch]
) -> VisibleMatch:
    is_masked = match.state in UNDECIDED and not visibility.is_live
    state = MatchState.OPEN if is_masked else match.state
    if not match.has_begun or (is_masked and visibility.is_hidden):
        return VisibleMatch(state)
    if is_masked and match.id in earlier:
        return earlier[match.id]
    return VisibleMatch(state, match.left, match.right, match.is_crawford)


def _matches_at(match_ids: Collection[uuid.UUID], moment: datetime) -> dict[uuid.UUID, VisibleMatch]:
    """Returns the matches as they were then, of those that have changed since. The card written last counts."""
    newer = CardRow.objects.filter(card__match=OuterRef("card__match"), written_at__gt=moment)
    rows = CardRow.objects.filter(Exists(newer), card__match__in=match_ids).select_related("card__match")
    earlier: dict[uuid.UUID, list[CardRow]] = {}
    for row in rows.order_by("written_at", "number"):
        written = earlier.setdefault(row.card.match_id, [])
        if row.written_at <= moment:
            written.append(row)
    return {match_id: _match_after(written) for match_id, written in earlier.items()}


def _match_after(rows: Sequence[CardRow]) -> VisibleMatch:
    totals = _totals_after(rows)
    if totals is None:
        return VisibleMatch(MatchState.OPEN)
    return VisibleMatch(MatchState.OPEN, totals.left, totals.right, totals.is_crawford)


def _totals_after(rows: Sequence[CardRow]) -> CardTotals | None:
    """Returns the totals of the card of the last row, which counts; None without rows."""
    if not rows:
        return None
    card = rows[-1].card
    on_card = sorted((row for row in rows if row.card_id == card.pk), key=lambda row: row.number)
    return card_totals(card.match, on_card)
