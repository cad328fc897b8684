"""Loads the path of an entry through the brackets: past matches, the next match and the end. Reads only.

Contains nothing of a draw that is not released. The number of statements does not depend on the size of the draw.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from matches.models import Card, Match, MatchState
from rules.score import Side
from tournament.access.draw_visibility import is_released
from tournament.access.score_visibility import (
    UNDECIDED,
    MatchFacts,
    VisibleMatch,
    score_visibility,
    visible_matches,
)
from tournament.brackets.round_basis import has_planned_times
from tournament.draw.graph import Outcome
from tournament.models import Entry, Feed, Pairing, Result, ResultKind, Shape, Tournament
from tournament.models.brackets import Settled
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.bracket_list import crown_brackets
from tournament.queries.brackets.numbering import Number
from tournament.queries.brackets.pairing_state import OVER, decided_how, pairing_state
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.queries.entries.path_state import PathState, PathStep, order_pairings, path_state
from tournament.queries.room.called import CurrentCall, current_calls
from tournament.runtime.errors import NotFound


@dataclass(frozen=True, slots=True)
class Feeder:
    """The match that decides an opponent. `number` is empty if it has none, points are None if spectators do not see
    them.
    """

    number: str
    names: tuple[str, ...]
    length: int | None
    games: int | None
    minutes: int | None
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class OpponentReport:
    """A result that the opponent reported, from the view of the entry. `tail` is the last row of the reported card."""

    tail: uuid.UUID
    mine: int
    theirs: int
    is_won: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing from the view of one of its two entries. The opponent will be the winner of the match of `feeders`, or
    its loser if `feeders_lose`. `pairing` is the id of the pairing. `number`, `feeder` and `report` are for phones.

    `state` is waiting, ready, playing, reported, disputed, decided or bye. `how` is the reason if play did not decide.
    """

    pairing: int
    match: Match | None
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    opponent: Entry | None
    feeders: tuple[str, ...]
    feeders_lose: bool
    mine: int | None
    theirs: int | None
    state: str
    how: str
    is_won: bool
    is_mine_to_confirm: bool

    @property
    def match_id(self) -> uuid.UUID | None:
        return self.match.pk if self.match is not None else None

    called: CurrentCall | None = None
    number: str = ""
    feeder: Feeder | None = None
    report: OpponentReport | None = None
    round_number: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """`meetings` are in playing order. `brackets` are the channels of a live page."""

    entry: Entry
    tournament: Tournament
    state: PathState
    meetings: tuple[Meeting, ...]
    brackets: tuple[uuid.UUID, ...]

    @property
    def upcoming(self) -> list[Meeting]:
        """Undecided meetings of all brackets, those that can be played first."""
        if self.state is PathState.WITHDRAWN:
            return []
        waiting = [meeting for meeting in self.meetings if meeting.state not in OVER]
        return sorted(waiting, key=lambda meeting: meeting.match_id is None)

    @property
    def next(self) -> Meeting | None:
        return next(iter(self.upcoming), None)

    @property
    def later(self) -> list[Meeting]:
        """Upcoming meetings after the next one, in a round robin all remaining ones."""
        return self.upcoming[1:]

    @property
    def past(self) -> list[Meeting]:
        """Meetings that are over, latest first."""
        return [meeting for meeting in reversed(self.meetings) if meeting.state in OVER]

    @property
    def last(self) -> Meeting | None:
        return next(iter(self.past), None)

    @property
    def next_start(self) -> tuple[int, datetime] | None:
        """The number and the planned start of the player's next round, if its match has not begun."""
        if self.next is not None:
            is_planned = has_planned_times(self.next.bracket) and self.next.state in ("waiting", "ready")
            number = self.next.round_number if is_planned else 0
        elif self.state is PathState.PLAYED and self.last is not None:
            number = self.last.round_number + 1
        else:
            number = 1 if self.state is PathState.UNDRAWN else 0
        planned_at = self.tournament.planned_times.get(number)
        return (number, planned_at) if planned_at is not None else None


@dataclass(frozen=True, slots=True)
class PathContext:
    """Loaded rows and visibility rules for the pairings of one entry."""

    results: Mapping[int, Result]
    feeds: Sequence[Feed]
    visible: Mapping[uuid.UUID, VisibleMatch]
    called: Mapping[uuid.UUID, CurrentCall]
    feeders: Mapping[int, Feeder]
    numbers: Mapping[int, Number]
    reports: Mapping[uuid.UUID, OpponentReport]


def load_path(entry: Entry, *, live: bool = False, for_phone: bool = False) -> Path:
    """Expects an entry with its player and tournament. `live`: running scores without the delay for spectators.
    `for_phone`: also the numbers of the matches, the matches that decide the opponents, and reports to confirm.
    """
    tournament = entry.tournament
    if not is_released(tournament):
        state = PathState.WITHDRAWN if entry.is_withdrawn else PathState.UNDRAWN
        return Path(entry, tournament, state, (), ())
    pairings = _load_pairings(entry)
    feeds = _load_feeds(pairings)
    rows = order_pairings(pairings, feeds)
    names, results = round_codes_by_id({row.round.bracket_id for row in rows}), _load_results(rows)
    called = current_calls(row.match_id for row in rows if not row.settled)
    matches = [MatchFacts.of(row.match) for row in rows if row.match is not None]
    visible = visible_matches(matches, score_visibility(tournament, live=live))
    numbers = load_numbers(tournament) if for_phone else {}
    feeders = _load_feeders(tournament, rows, feeds, numbers) if for_phone else {}
    reports = _load_reports(tournament, rows, entry) if for_phone else {}
    context = PathContext(results, feeds, visible, called, feeders, numbers, reports)
    meetings = tuple(_meeting(row, entry, names[row.round_id], context) for row in rows)
    steps = [
        (_path_step(row, meeting), meeting.match_id is not None)
        for row, meeting in zip(rows, meetings, strict=True)
    ]
    is_over = all(step.is_over for step, _ in steps)
    crown = crown_brackets([tournament]).get(tournament.pk) if is_over else None
    state = path_state(entry, steps, feeds, crown.pk if crown else None)
    return Path(entry, tournament, state, meetings, tuple(_bracket_ids(steps, feeds)))


def find_entry(tournament: Tournament, entry_id: uuid.UUID) -> Entry:
    """Returns an entry of this tournament. Raises NotFound."""
    entries = Entry.objects.select_related("player")
    entry = entries.filter(pk=entry_id, tournament=tournament).first()
    if entry is None:
        raise NotFound
    entry.tournament = tournament
    return entry


def _load_pairings(entry: Entry) -> list[Pairing]:
    pairings = Pairing.objects.select_related("round__bracket", "match", "left__player", "right__player")
    return list(pairings.filter(Q(left=entry) | Q(right=entry)))


def _load_feeds(rows: Sequence[Pairing]) -> list[Feed]:
    """Returns the feeds into these pairings and the feeds from their outcomes and their brackets' places."""
    ids = [row.pk for row in rows]
    ranked = {row.round.bracket_id for row in rows if row.round.bracket.shape == Shape.TABLE}
    feeds = Feed.objects.filter(Q(target__in=ids) | Q(source__in=ids) | Q(bracket__in=ranked))
    return list(
        feeds.select_related(
            "target__round", "source__left__player", "source__right__player", "source__match", "source__round"
        )
    )


def _load_feeders(
    tournament: Tournament, rows: Sequence[Pairing], feeds: Sequence[Feed], numbers: Mapping[int, Number]
) -> Mapping[int, Feeder]:
    """Returns the matches that decide the opponents of these pairings, by the id of their pairing."""
    waiting = {row.pk for row in rows if not row.settled and (row.left is None or row.right is None)}
    sources = [feed.source for feed in feeds if feed.target_id in waiting and feed.source is not None]
    undecided = [source for source in sources if not source.settled]
    if not undecided:
        return {}
    facts = [MatchFacts.of(source.match) for source in undecided if source.match is not None]
    visible = visible_matches(facts, score_visibility(tournament))
    return {source.pk: _feeder(source, numbers.get(source.pk), visible) for source in undecided}


def _feeder(source: Pairing, number: Number | None, visible: Mapping[uuid.UUID, VisibleMatch]) -> Feeder:
    match = visible.get(source.match_id) if source.match_id else None
    has_begun = source.match is not None and source.match.has_begun
    points = (match.left, match.right) if match is not None and has_begun else (None, None)
    is_turned = source.match is not None and source.match.left != source.left_id
    left, right = reversed(points) if is_turned else points
    return Feeder(
        number=number.called if number else "",
        names=tuple(entry.name for entry in (source.left, source.right) if entry is not None),
        length=source.round.length,
        games=source.round.games,
        minutes=source.round.minutes,
        left=left,
        right=right,
    )


def _load_reports(
    tournament: Tournament, rows: Sequence[Pairing], entry: Entry
) -> Mapping[uuid.UUID, OpponentReport]:
    """Returns the reports that wait for this player's answer, by match. Cards that both must keep are not asked for."""
    sides = {row.match.pk: side for row in rows if row.match and (side := row.match.side_of(entry.pk))}
    reported = {
        row.match.pk: row.match.reported_by
        for row in rows
        if row.match and row.match.state == MatchState.REPORTED
    }
    opposite = {pk: keeper for pk, keeper in reported.items() if keeper != sides[pk].value}
    if not opposite or tournament.two_cards:
        return {}
    cards = [
        card for card in Card.objects.filter(match__in=opposite) if card.keeper == opposite[card.match_id]
    ]
    return {card.match_id: _report(card, sides[card.match_id]) for card in cards}


def _report(card: Card, side: Side) -> OpponentReport:
    points = (card.left_points, card.right_points)
    mine, theirs = points if side is Side.LEFT else (points[1], points[0])
    return OpponentReport(card.tail, mine, theirs, is_won=card.winner == side.value)


def _bracket_ids(steps: Sequence[tuple[PathStep, bool]], feeds: Iterable[Feed]) -> list[uuid.UUID]:
    """Returns the brackets with undecided pairings, or else those to which the last match may lead."""
    waiting = [step.row.round.bracket_id for step, _ in steps if not step.is_over]
    if waiting or not steps:
        return list(dict.fromkeys(waiting))
    last = steps[-1][0].row
    onward = [
        feed.target.round.bracket_id
        for feed in feeds
        if feed.source_id == last.pk or feed.bracket_id == last.round.bracket_id
    ]
    return list(dict.fromkeys([last.round.bracket_id, *onward]))


def _load_results(rows: Sequence[Pairing]) -> Mapping[int, Result]:
    results = Result.objects.filter(pairing__in=rows, superseded_by__isnull=True)
    return {row.pairing_id: row for row in results.exclude(kind=ResultKind.RETRACTED)}


def _meeting(row: Pairing, entry: Entry, name: str, context: PathContext) -> Meeting:
    is_left = row.left_id == entry.pk
    result, feeds = context.results.get(row.pk), context.feeds
    visible = context.visible.get(row.match_id) if row.match_id else None
    points = _points(row, result, visible)
    mine, theirs = points if is_left else tuple(reversed(points))
    opponent = row.right if is_left else row.left
    seat = "right" if is_left else "left"
    opposite = next((feed for feed in feeds if (feed.target_id, feed.seat) == (row.pk, seat)), None)
    return Meeting(
        pairing=row.pk,
        match=row.match,
        bracket=row.round.bracket.key,
        round_name=name,
        length=row.round.length,
        games=row.round.games,
        minutes=row.round.minutes,
        opponent=opponent,
        feeders=_feeder_names(opposite) if opponent is None else (),
        feeders_lose=opposite is not None and opposite.outcome in (Outcome.LOSER, Outcome.FIRST_LOSS),
        mine=mine,
        theirs=theirs,
        state=pairing_state(
            row.settled,
            visible.state if visible else None,
            is_posted=result is not None,
            has_begun=row.match is not None and row.match.has_begun,
        ),
        how=decided_how(row.settled, result.kind if result else None),
        is_won=row.winner_id == entry.pk or (result is not None and result.winner_id == entry.pk),
        is_mine_to_confirm=_reported_by_other(row.match, visible, is_left=is_left),
        called=context.called.get(row.match_id) if row.match_id else None,
        number=context.numbers[row.pk].called if row.pk in context.numbers else "",
        feeder=context.feeders.get(opposite.source_id or 0) if opposite and opponent is None else None,
        report=context.reports.get(row.match_id) if row.match_id else None,
        round_number=row.round.number,
    )


def _feeder_names(feed: Feed | None) -> tuple[str, ...]:
    """Returns the names of the players who may take the opponent's seat."""
    source = feed.source if feed is not None else None
    seated = (source.left, source.right) if source is not None else ()
    return tuple(player_entry.name for player_entry in seated if player_entry is not None)


def _points(
    row: Pairing, result: Result | None, visible: VisibleMatch | None
) -> tuple[int | None, int | None]:
    if result is not None and result.left_id == row.right_id:
        return result.right_points, result.left_points
    if result is not None:
        return result.left_points, result.right_points
    if row.match is None or visible is None or visible.state not in UNDECIDED:
        return None, None
    is_turned = row.match.left != row.left_id
    return (visible.right, visible.left) if is_turned else (visible.left, visible.right)


def _reported_by_other(match: Match | None, visible: VisibleMatch | None, *, is_left: bool) -> bool:
    if match is None or visible is None or visible.state != MatchState.REPORTED:
        return False
    return match.reported_by == ("right" if is_left else "left")


def _path_step(row: Pairing, meeting: Meeting) -> PathStep:
    both_lost = row.settled == Settled.NOBODY or meeting.how == ResultKind.DOUBLE_NO_SHOW
    return PathStep(row, meeting.state in OVER, meeting.is_won, both_lost)
