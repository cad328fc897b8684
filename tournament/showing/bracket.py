"""A bracket as people see it: rounds, pairings, who sits there and with what score. Reads only.

A constant number of statements at any size. Who may see a bracket before its draw is released is the front door's
question; `is_released` is the answer's material.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Sum

from tournament.draw.graph import Outcome
from tournament.draw.recipes import RoundName, round_name
from tournament.errors import NotFound
from tournament.models import Bracket, Feed, Pairing, Result, ResultKind, Round, Tournament
from tournament.progression import current_draw
from tournament.showing.state import OVER, how_decided, state_of

PLAYER = ("name", "country", "club")
MATCH = ("state", "left_points", "right_points", "is_crawford", "version", "began_at")
PAIRING = (
    "id",
    "line",
    "left_id",
    "right_id",
    "left_is_bye",
    "right_is_bye",
    "winner_id",
    "settled",
    "match_id",
)


class Fed(NamedTuple):
    """What fills one seat: the outcome of another pairing, an entry, or neither: a bye."""

    target: int
    seat: str
    source: int | None
    outcome: str
    entry: uuid.UUID | None


class Posted(NamedTuple):
    """What counts of a pairing's posted result."""

    kind: str
    winner: uuid.UUID | None
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Coming:
    """Who will sit here: the winner or loser of the pairing with this number."""

    outcome: Outcome
    number: int


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One seat. Nobody known yet: no `entry_id`, and `coming` unless it is a bye."""

    entry_id: uuid.UUID | None = None
    name: str = ""
    country: str = ""
    club: str = ""
    seed: int | None = None
    is_bye: bool = False
    is_withdrawn: bool = False
    points: int | None = None
    is_winner: bool = False
    coming: Coming | None = None


@dataclass(frozen=True, slots=True)
class PairingShown:
    """`number` counts the pairings of the bracket; byes of the draw have none, and nothing that happens changes it.

    `state` is waiting, ready, playing, reported, disputed, decided or bye; `how` says what else than play decided
    it: walkover, no_show, double_no_show or withdrawn.
    """

    id: int
    number: int | None
    round: int
    line: int
    left: SeatShown
    right: SeatShown
    length: int
    state: str
    how: str
    is_crawford: bool
    match_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class RoundShown:
    id: int
    number: int
    name: RoundName
    length: int
    pairings: tuple[PairingShown, ...]

    @property
    def is_decided(self) -> bool:
        return all(pairing.state in OVER for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class BracketShown:
    id: uuid.UUID
    key: str
    version: int
    stamp: str
    is_released: bool
    rounds: tuple[RoundShown, ...] = field(default=())

    @property
    def champion(self) -> SeatShown | None:
        """The winner of the last pairing, once it is decided."""
        last = self.rounds[-1].pairings[0] if self.rounds else None
        seats = (last.left, last.right) if last else ()
        return next((seat for seat in seats if seat.is_winner), None)

    @property
    def current_round(self) -> int:
        """The first round that is not decided: what a phone shows first."""
        waiting = (shown.number for shown in self.rounds if not shown.is_decided)
        return next(waiting, len(self.rounds))


def bracket_shown(tournament: Tournament, key: str = "main") -> BracketShown:
    """The bracket of this name; raises NotFound before the first draw."""
    bracket = Bracket.objects.filter(tournament=tournament, key=key).first()
    if bracket is None:
        raise NotFound
    draw = current_draw(tournament)
    rounds = list(Round.objects.filter(bracket=bracket))
    rows = _rows(bracket)
    feeds = _feeds(bracket)
    numbers = _numbers(rows, feeds)
    coming = _coming(feeds, numbers)
    posted = _posted(bracket)
    shown = {row["id"]: _pairing(row, numbers, coming, posted) for row in rows}
    return BracketShown(
        id=bracket.pk,
        key=bracket.key,
        version=bracket.version,
        stamp=_stamp(bracket.version, sum(row["match__version"] or 0 for row in rows)),
        is_released=draw is not None and draw.is_released,
        rounds=tuple(_round(row, len(rounds), shown.values()) for row in rounds),
    )


def stamp_of(tournament: Tournament, key: str = "main") -> str:
    """What `BracketShown.stamp` would be, in one statement; empty when there is no such bracket."""
    versions = (
        Bracket.objects.filter(tournament=tournament, key=key)
        .annotate(live=Sum("rounds__pairings__match__version"))
        .values_list("version", "live")
        .first()
    )
    return _stamp(versions[0], versions[1] or 0) if versions else ""


def _stamp(version: int, live: int) -> str:
    return f"{version}-{live}"


def _rows(bracket: Bracket) -> list[dict[str, Any]]:
    seats = [f"{seat}__player__{name}" for seat in ("left", "right") for name in PLAYER]
    seats += [f"{seat}__{name}" for seat in ("left", "right") for name in ("seed", "withdrawn_at")]
    match = [f"match__{name}" for name in MATCH]
    rows = Pairing.objects.filter(round__bracket=bracket).order_by("round__number", "line")
    return list(rows.values(*PAIRING, "round__number", "round__length", *seats, *match))


def _feeds(bracket: Bracket) -> list[Fed]:
    feeds = Feed.objects.filter(target__round__bracket=bracket)
    return [Fed(*row) for row in feeds.values_list("target_id", "seat", "source_id", "outcome", "entry_id")]


def _numbers(rows: Sequence[Mapping[str, Any]], feeds: Iterable[Fed]) -> dict[int, int]:
    """Numbers by round and line for the pairings in which the draw seats two."""
    fed: dict[int, list[Fed]] = {}
    for feed in feeds:
        fed.setdefault(feed.target, []).append(feed)
    empty: set[tuple[int | None, str]] = set()
    met: list[int] = []
    for pk in (row["id"] for row in rows):
        byes = sum(_is_bye(feed, empty) for feed in fed[pk])
        if byes:
            empty.add((pk, Outcome.LOSER))
        if byes == len(fed[pk]):
            empty.add((pk, Outcome.WINNER))
        if not byes:
            met.append(pk)
    return {pk: number for number, pk in enumerate(met, start=1)}


def _is_bye(feed: Fed, empty: set[tuple[int | None, str]]) -> bool:
    return feed.entry is None and (feed.source is None or (feed.source, feed.outcome) in empty)


def _coming(feeds: Iterable[Fed], numbers: Mapping[int, int]) -> dict[tuple[int, str], Coming]:
    return {
        (feed.target, feed.seat): Coming(Outcome(feed.outcome), numbers[feed.source])
        for feed in feeds
        if feed.source is not None and feed.source in numbers
    }


def _posted(bracket: Bracket) -> dict[int, Posted]:
    standing = Result.objects.filter(pairing__round__bracket=bracket, superseded_by__isnull=True)
    told = standing.exclude(kind=ResultKind.RETRACTED)
    rows = told.values_list("pairing_id", "kind", "winner_id", "left_points", "right_points")
    return {pairing: Posted(kind, winner, left, right) for pairing, kind, winner, left, right in rows}


def _round(row: Round, total: int, pairings: Iterable[PairingShown]) -> RoundShown:
    inside = tuple(pairing for pairing in pairings if pairing.round == row.number)
    return RoundShown(row.pk, row.number, round_name(total, row.number), row.length, inside)


def _pairing(
    row: Mapping[str, Any],
    numbers: Mapping[int, int],
    coming: Mapping[tuple[int, str], Coming],
    posted: Mapping[int, Posted],
) -> PairingShown:
    result = posted.get(row["id"])
    return PairingShown(
        id=row["id"],
        number=numbers.get(row["id"]),
        round=row["round__number"],
        line=row["line"],
        left=_seat(row, "left", result, coming.get((row["id"], "left"))),
        right=_seat(row, "right", result, coming.get((row["id"], "right"))),
        length=row["round__length"],
        state=state_of(
            row["settled"],
            row["match__state"],
            is_posted=result is not None,
            has_begun=row["match__began_at"] is not None,
        ),
        how=how_decided(row["settled"], result.kind if result else None),
        is_crawford=bool(row["match__is_crawford"]) and result is None,
        match_id=row["match_id"],
    )


def _points(row: Mapping[str, Any], seat: str, result: Posted | None) -> int | None:
    """The posted points, otherwise the running score once the match has begun."""
    if result is not None:
        return result.left if seat == "left" else result.right
    if row["match__began_at"] is None or row["settled"]:
        return None
    points: int = row[f"match__{seat}_points"]
    return points


def _seat(row: Mapping[str, Any], seat: str, result: Posted | None, coming: Coming | None) -> SeatShown:
    if row[f"{seat}_is_bye"]:
        return SeatShown(is_bye=True)
    entry = row[f"{seat}_id"]
    if entry is None:
        return SeatShown(coming=coming)
    return SeatShown(
        entry_id=entry,
        name=row[f"{seat}__player__name"],
        country=row[f"{seat}__player__country"],
        club=row[f"{seat}__player__club"],
        seed=row[f"{seat}__seed"],
        is_withdrawn=row[f"{seat}__withdrawn_at"] is not None,
        points=_points(row, seat, result),
        is_winner=entry == (result.winner if result else row["winner_id"]),
        coming=coming,
    )
