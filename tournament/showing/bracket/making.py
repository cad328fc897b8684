"""Makes brackets as they are shown, from the rows of the stored draw. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import F, Q, Sum

from tournament.draw.graph import Outcome
from tournament.errors import NotFound
from tournament.models import (
    Bracket,
    Call,
    Feed,
    Pairing,
    Result,
    ResultKind,
    Round,
    SeatChange,
    Shape,
    Tournament,
)
from tournament.models.entries import name_of_entry
from tournament.released import is_released
from tournament.showing.bracket.numbering import ByeChanged, Fed, Number, Spot, comings, numbers
from tournament.showing.bracket.shown import BracketShown, Coming, PairingShown, RoundShown, SeatShown
from tournament.showing.rounds import round_codes
from tournament.showing.running import Sight, as_seen, seen_in, seen_stamps, sight_of
from tournament.showing.state import how_decided, state_of

PLAYER = ("name", "country", "club")
MATCH = ("state", "left", "left_points", "right_points", "is_crawford", "version", "began_at")
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
FED = ("target_id", "seat", "source_id", "outcome", "entry_id", "bracket__key", "place")


class Posted(NamedTuple):
    """What counts of a pairing's posted result."""

    kind: str
    winner: uuid.UUID | None
    left: int | None
    right: int | None


class Around(NamedTuple):
    """What is known around the pairings: numbers, who will come, posted results, second finals, the brackets whose
    winners play on in another, the tables that matches are called to, and where winners play next."""

    numbers: Mapping[int, Number]
    coming: Mapping[Spot, Coming]
    posted: Mapping[int, Posted]
    again: frozenset[int]
    leading: frozenset[str]
    tables: Mapping[int, str]
    onward: Mapping[int, int]


def bracket_shown(tournament: Tournament, key: str = "main", *, live: bool = False) -> BracketShown:
    """The bracket of this name; raises NotFound before the first draw.

    `live`: for whoever sees running scores at once, whatever onlookers see.
    """
    bracket = Bracket.objects.filter(tournament=tournament, key=key).first()
    if bracket is None:
        raise NotFound
    return _shown(tournament, [bracket], sight_of(tournament, live=live))[0]


def brackets_shown(tournament: Tournament, *, live: bool = False) -> list[BracketShown]:
    """Every bracket that has rounds, in the order in which they were drawn; `live` as for one."""
    brackets = Bracket.objects.filter(tournament=tournament, rounds__isnull=False).distinct()
    return _shown(tournament, list(brackets), sight_of(tournament, live=live))


def stamp_of(tournament: Tournament, key: str = "main", *, live: bool = False) -> str:
    """What `BracketShown.stamp` would be; empty when there is no such bracket. One statement, where scores are late
    two."""
    sight = sight_of(tournament, live=live)
    if not sight.is_live:
        late = Bracket.objects.filter(tournament=tournament, key=key).values_list("pk", "version").first()
        return _stamp(late[1], seen_stamps([late[0]], sight)[late[0]]) if late else ""
    versions = (
        Bracket.objects.filter(tournament=tournament, key=key)
        .annotate(live=Sum("rounds__pairings__match__version"))
        .values_list("version", "live")
        .first()
    )
    return _stamp(versions[0], versions[1] or 0) if versions else ""


def _stamp(version: int, live: int | str) -> str:
    return f"{version}-{live}"


def _shown(tournament: Tournament, brackets: Sequence[Bracket], sight: Sight) -> list[BracketShown]:
    released = is_released(tournament)
    rounds = list(Round.objects.filter(bracket__in=brackets))
    rows = _rows(brackets)
    seen = seen_in(rows, sight)
    around = _around(tournament, brackets)
    shown: dict[int, list[PairingShown]] = {row.pk: [] for row in rounds}
    for row in rows:
        shown[row["round_id"]].append(_pairing(as_seen(row, seen), around))
    stamps = _live_stamps(rows) if sight.is_live else seen_stamps([bracket.pk for bracket in brackets], sight)
    return [
        BracketShown(
            id=bracket.pk,
            key=bracket.key,
            shape=bracket.shape,
            version=bracket.version,
            stamp=_stamp(bracket.version, stamps.get(bracket.pk, 0)),
            is_released=released,
            rounds=_rounds(bracket, [row for row in rounds if row.bracket_id == bracket.pk], shown, around),
        )
        for bracket in brackets
    ]


def _live_stamps(rows: Iterable[Mapping[str, Any]]) -> Mapping[uuid.UUID, int]:
    live: Counter[uuid.UUID] = Counter()
    for row in rows:
        live[row["round__bracket_id"]] += row["match__version"] or 0
    return live


def _rounds(
    bracket: Bracket, rows: Sequence[Round], shown: Mapping[int, Sequence[PairingShown]], around: Around
) -> tuple[RoundShown, ...]:
    last = shown[rows[-1].pk] if rows else ()
    names = round_codes(
        [(row.number, len(shown[row.pk])) for row in rows],
        is_table=bracket.shape == Shape.TABLE,
        plays_again=any(pairing.is_second_final for pairing in last),
        leads_on=bracket.key in around.leading,
    )
    return tuple(
        RoundShown(row.pk, row.number, name, row.length, tuple(shown[row.pk]))
        for row, name in zip(rows, names, strict=True)
    )


def _rows(brackets: Sequence[Bracket]) -> list[dict[str, Any]]:
    seats = [f"{seat}__player__{name}" for seat in ("left", "right") for name in PLAYER]
    seats += [f"{seat}__{name}" for seat in ("left", "right") for name in ("number", "seed", "withdrawn_at")]
    match = [f"match__{name}" for name in MATCH]
    where = ["round_id", "round__bracket_id", "round__number", "round__length"]
    rows = Pairing.objects.filter(round__bracket__in=brackets).order_by("round__number", "line")
    return list(rows.values(*PAIRING, *where, *seats, *match))


def _around(tournament: Tournament, brackets: Sequence[Bracket]) -> Around:
    """Numbers need the whole draw: who never came to one bracket is missed in another."""
    drawn: dict[str, dict[int, None]] = {}
    feeds: list[Fed] = []
    rows = Feed.objects.filter(target__round__bracket__tournament=tournament).order_by(
        "target__round__bracket__position", "target__round__number", "target__line"
    )
    for key, target, seat, source, outcome, entry, bracket, place in rows.values_list(
        "target__round__bracket__key", *FED
    ):
        drawn.setdefault(key, {})[target] = None
        feeds.append(Fed(target, seat, source, outcome, entry is not None, bracket, place))
    numbered = numbers({key: list(targets) for key, targets in drawn.items()}, feeds, _changed(tournament))
    where = {target: key for key, targets in drawn.items() for target in targets}
    shown = {bracket.key for bracket in brackets}
    across = [(feed, where[feed.source]) for feed in feeds if feed.source is not None]
    return Around(
        numbered,
        comings([feed for feed in feeds if where[feed.target] in shown], numbered),
        _posted(brackets),
        again=frozenset(
            feed.target
            for feed, key in across
            if feed.outcome == Outcome.FIRST_LOSS and where[feed.target] == key
        ),
        leading=frozenset(
            key for feed, key in across if feed.outcome == Outcome.WINNER and where[feed.target] != key
        ),
        tables=_tables(brackets),
        onward={
            feed.source: feed.target
            for feed, key in across
            if feed.outcome == Outcome.WINNER and where[feed.target] == key and feed.source is not None
        },
    )


def _changed(tournament: Tournament) -> list[ByeChanged]:
    """Where a bye was given to somebody, or somebody's seat became a bye."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament).exclude(
        Q(before__isnull=False) & Q(after__isnull=False)
    )
    told = list(rows.select_related("feed"))
    became_bye = {row.at: row.feed.target_id for row in told if row.after_id is None}
    return [
        ByeChanged(
            (row.feed.target_id, row.feed.seat),
            row.after_id is None,
            became_bye.get(row.at) if row.after_id is not None else None,
        )
        for row in told
    ]


def _posted(brackets: Sequence[Bracket]) -> dict[int, Posted]:
    standing = Result.objects.filter(pairing__round__bracket__in=brackets, superseded_by__isnull=True)
    told = standing.exclude(kind=ResultKind.RETRACTED)
    seats = told.annotate(is_turned=Q(left=F("pairing__right")))
    rows = seats.values_list("pairing_id", "is_turned", "kind", "winner_id", "left_points", "right_points")
    return {
        pairing: Posted(kind, winner, *((right, left) if is_turned else (left, right)))
        for pairing, is_turned, kind, winner, left, right in rows
    }


def _tables(brackets: Sequence[Bracket]) -> dict[int, str]:
    """Where the matches that are called now are played."""
    standing = Call.objects.filter(pairing__round__bracket__in=brackets, ended_at__isnull=True)
    return dict(standing.filter(table__isnull=False).values_list("pairing_id", "table__name"))


def _pairing(row: Mapping[str, Any], around: Around) -> PairingShown:
    result = around.posted.get(row["id"])
    number = around.numbers.get(row["id"])
    return PairingShown(
        id=row["id"],
        number=number.number if number else None,
        called=number.called if number else "",
        round=row["round__number"],
        line=row["line"],
        left=_seat(row, "left", result, around.coming.get((row["id"], "left"))),
        right=_seat(row, "right", result, around.coming.get((row["id"], "right"))),
        length=row["round__length"],
        state=state_of(
            row["settled"],
            row["match__state"],
            is_posted=result is not None,
            has_begun=row["match__began_at"] is not None,
        ),
        how=how_decided(row["settled"], result.kind if result else None),
        is_crawford=bool(row["match__is_crawford"]) and result is None,
        is_second_final=row["id"] in around.again,
        match_id=row["match_id"],
        table=around.tables.get(row["id"], ""),
        onward=around.onward.get(row["id"]),
    )


def _points(row: Mapping[str, Any], seat: str, result: Posted | None) -> int | None:
    """The posted points, otherwise the running score once the match has begun."""
    if result is not None:
        return result.left if seat == "left" else result.right
    if row["match__began_at"] is None or row["settled"]:
        return None
    side = "left" if row[f"{seat}_id"] == row["match__left"] else "right"
    points: int = row[f"match__{side}_points"]
    return points


def _seat(row: Mapping[str, Any], seat: str, result: Posted | None, coming: Coming | None) -> SeatShown:
    if row[f"{seat}_is_bye"]:
        return SeatShown(is_bye=True)
    entry = row[f"{seat}_id"]
    if entry is None:
        return SeatShown(coming=coming)
    return SeatShown(
        entry_id=entry,
        name=name_of_entry(row[f"{seat}__player__name"], row[f"{seat}__number"]),
        country=row[f"{seat}__player__country"],
        club=row[f"{seat}__player__club"],
        seed=row[f"{seat}__seed"],
        is_withdrawn=row[f"{seat}__withdrawn_at"] is not None,
        points=_points(row, seat, result),
        is_winner=entry == (result.winner if result else row["winner_id"]),
        coming=coming,
    )
