"""One entry's way through a draw: whom they met, whom they meet next, how it ended. Reads only.

Nothing of a draw that is not released; a handful of statements at any size of the draw and any number of brackets.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from matches.models import Match, MatchState
from matches.statements import CompiledQuery
from tournament.access.draw_visibility import released_draws
from tournament.draw.graph import Outcome
from tournament.models import Draw, Entry, Feed, Pairing, Result, ResultKind, Shape, Tournament
from tournament.models.brackets import Settled
from tournament.queries.brackets.bracket_list import crown_brackets
from tournament.queries.brackets.pairing_state import OVER, decided_how, pairing_state
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.queries.entries.order import Standing, Way, in_order, way_of
from tournament.queries.matches.running_scores import UNDECIDED, ScoreDelay, delay_for, visible_score
from tournament.queries.room.called import Called, called_to
from tournament.runtime.errors import NotFound

_released_draw_of: CompiledQuery[Draw] = CompiledQuery(
    lambda tournament: released_draws.only("pk").filter(tournament=tournament)
)
_entry_of: CompiledQuery[Entry] = CompiledQuery(
    lambda tournament, pk: Entry.objects.select_related("player").filter(pk=pk, tournament=tournament)
)
_pairings_of: CompiledQuery[Pairing] = CompiledQuery(
    lambda entry: Pairing.objects.filter(Q(left=entry) | Q(right=entry)).select_related(
        "round__bracket", "match", "left__player", "right__player"
    )
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing as one of its two entries sees it. `feeders` are names from which the opponent will come: of them
    the winner, or with `feeders_lose` the loser.

    `state` is waiting, ready, playing, reported, disputed, decided or bye; `how` says what else than play decided it.
    """

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

    called: Called | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """`meetings` in the order in which they are played; `brackets` are what a live page listens to."""

    entry: Entry
    tournament: Tournament
    way: Way
    meetings: tuple[Meeting, ...]
    brackets: tuple[uuid.UUID, ...]

    @property
    def coming(self) -> list[Meeting]:
        """What is not decided yet, in any bracket: first what can be played."""
        if self.way is Way.WITHDRAWN:
            return []
        waiting = [one for one in self.meetings if one.state not in OVER]
        return sorted(waiting, key=lambda one: one.match_id is None)

    @property
    def next(self) -> Meeting | None:
        return next(iter(self.coming), None)

    @property
    def later(self) -> list[Meeting]:
        """What comes beside the next match: in a round robin all the others."""
        return self.coming[1:]

    @property
    def past(self) -> list[Meeting]:
        """What is over, the latest first."""
        return [one for one in reversed(self.meetings) if one.state in OVER]

    @property
    def last(self) -> Meeting | None:
        return next(iter(self.past), None)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known around the pairings of one entry, what is seen of running scores, and who is called where."""

    results: Mapping[int, Result]
    feeds: Sequence[Feed]
    sight: ScoreDelay
    called: Mapping[uuid.UUID, Called]


def path_of(entry: Entry, *, live: bool = False) -> Path:
    """The way of this entry, loaded with its player and tournament.

    `live`: for whoever sees running scores at once, whatever onlookers see.
    """
    tournament = entry.tournament
    if _released_draw_of.first(tournament.pk) is None:
        way = Way.WITHDRAWN if entry.is_withdrawn else Way.UNDRAWN
        return Path(entry, tournament, way, (), ())
    seated = _pairings(entry)
    feeds = _feeds(seated)
    rows = in_order(seated, feeds)
    names, results = round_codes_by_id({row.round.bracket_id for row in rows}), _results(rows)
    called = called_to(row.match_id for row in rows if not row.settled)
    known = Known(results, feeds, delay_for(tournament, live=live), called)
    meetings = tuple(_meeting(row, entry, names[row.round_id], known) for row in rows)
    told = [(_standing(row, one), one.match_id is not None) for row, one in zip(rows, meetings, strict=True)]
    is_over = all(standing.is_over for standing, _ in told)
    crown = crown_brackets([tournament]).get(tournament.pk) if is_over else None
    way = way_of(entry, told, feeds, crown.pk if crown else None)
    return Path(entry, tournament, way, meetings, tuple(_listened_to(told, feeds)))


def entry_of(tournament: Tournament, entry_id: uuid.UUID) -> Entry:
    """An entry of this tournament; raises NotFound."""
    entry = _entry_of.first(tournament.pk, entry_id)
    if entry is None:
        raise NotFound
    entry.tournament = tournament
    return entry


def _pairings(entry: Entry) -> list[Pairing]:
    return _pairings_of.all(entry.pk)


def _feeds(rows: Sequence[Pairing]) -> list[Feed]:
    """What fills the seats of these pairings, and where their outcomes and the places of their brackets lead."""
    ids = [row.pk for row in rows]
    ranked = {row.round.bracket_id for row in rows if row.round.bracket.shape == Shape.TABLE}
    feeds = Feed.objects.filter(Q(target__in=ids) | Q(source__in=ids) | Q(bracket__in=ranked))
    return list(feeds.select_related("target__round", "source__left__player", "source__right__player"))


def _listened_to(told: Sequence[tuple[Standing, bool]], feeds: Iterable[Feed]) -> list[uuid.UUID]:
    """The brackets in which something is to come; where nothing is, those to which the last match may lead."""
    waiting = [standing.row.round.bracket_id for standing, _ in told if not standing.is_over]
    if waiting or not told:
        return list(dict.fromkeys(waiting))
    last = told[-1][0].row
    onward = [
        feed.target.round.bracket_id
        for feed in feeds
        if feed.source_id == last.pk or feed.bracket_id == last.round.bracket_id
    ]
    return list(dict.fromkeys([last.round.bracket_id, *onward]))


def _results(rows: Sequence[Pairing]) -> Mapping[int, Result]:
    standing = Result.objects.filter(pairing__in=rows, superseded_by__isnull=True)
    return {row.pairing_id: row for row in standing.exclude(kind=ResultKind.RETRACTED)}


def _meeting(row: Pairing, entry: Entry, name: str, known: Known) -> Meeting:
    is_left = row.left_id == entry.pk
    result, feeds = known.results.get(row.pk), known.feeds
    points = _points(row, result, known.sight)
    mine, theirs = points if is_left else tuple(reversed(points))
    opponent = row.right if is_left else row.left
    seat = "right" if is_left else "left"
    opposite = next((feed for feed in feeds if (feed.target_id, feed.seat) == (row.pk, seat)), None)
    return Meeting(
        match=row.match,
        bracket=row.round.bracket.key,
        round_name=name,
        length=row.round.length,
        games=row.round.games,
        minutes=row.round.minutes,
        opponent=opponent,
        feeders=_feeders(opposite) if opponent is None else (),
        feeders_lose=opposite is not None and opposite.outcome in (Outcome.LOSER, Outcome.FIRST_LOSS),
        mine=mine,
        theirs=theirs,
        state=_state(row, result, known.sight),
        how=decided_how(row.settled, result.kind if result else None),
        is_won=row.winner_id == entry.pk or (result is not None and result.winner_id == entry.pk),
        is_mine_to_confirm=known.sight.is_live and _reported_by_other(row.match, is_left=is_left),
        called=known.called.get(row.match_id) if row.match_id else None,
    )


def _feeders(feed: Feed | None) -> tuple[str, ...]:
    """Who may still come to the seat opposite."""
    source = feed.source if feed is not None else None
    seated = (source.left, source.right) if source is not None else ()
    return tuple(one.name for one in seated if one is not None)


def _points(row: Pairing, result: Result | None, sight: ScoreDelay) -> tuple[int | None, int | None]:
    if result is not None and result.left_id == row.right_id:
        return result.right_points, result.left_points
    if result is not None:
        return result.left_points, result.right_points
    if row.match is None or row.match.state not in UNDECIDED:
        return None, None
    score = visible_score(row.match, sight)
    return (score.left, score.right) if row.match.left == row.left_id else (score.right, score.left)


def _state(row: Pairing, result: Result | None, sight: ScoreDelay) -> str:
    match = row.match
    told = MatchState.OPEN if match and not sight.is_live else match.state if match else None
    return pairing_state(
        row.settled,
        told,
        is_posted=result is not None,
        has_begun=match is not None and match.has_begun,
    )


def _reported_by_other(match: Match | None, *, is_left: bool) -> bool:
    if match is None or match.state != MatchState.REPORTED:
        return False
    return match.reported_by == ("right" if is_left else "left")


def _standing(row: Pairing, meeting: Meeting) -> Standing:
    both_lost = row.settled == Settled.NOBODY or meeting.how == ResultKind.DOUBLE_NO_SHOW
    return Standing(row, meeting.state in OVER, meeting.is_won, both_lost)
