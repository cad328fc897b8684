"""Makes brackets as they are shown, from the rows of the stored draw. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import QuerySet, Sum

from matches.models import MatchState
from tournament.access.draw_visibility import is_released
from tournament.models import Bracket, Round, Shape, Tournament
from tournament.queries.brackets.reading import Around, Posted, Row, around_of, rows_of
from tournament.queries.brackets.round_names import round_codes
from tournament.queries.brackets.shown import BracketShown, PairingShown, RoundShown, SeatShown
from tournament.queries.brackets.state import how_decided, state_of
from tournament.queries.matches.running_scores import Score, Sight, seen_in, seen_stamps, sight_of
from tournament.runtime.errors import NotFound


def bracket_shown(tournament: Tournament, key: str = "main", *, live: bool = False) -> BracketShown:
    """The bracket of this name; raises NotFound before the first draw.

    `live`: for whoever sees running scores at once, whatever onlookers see.
    """
    rounds = list(_rounds_of(tournament).filter(bracket__key=key))
    bracket = rounds[0].bracket if rounds else Bracket.objects.filter(tournament=tournament, key=key).first()
    if bracket is None:
        raise NotFound
    return _shown(tournament, [bracket], rounds, sight_of(tournament, live=live))[0]


def brackets_shown(tournament: Tournament, *, live: bool = False) -> list[BracketShown]:
    """Every bracket that has rounds, in the order in which they were drawn; `live` as for one."""
    rounds = list(_rounds_of(tournament))
    brackets = {row.bracket_id: row.bracket for row in rounds}
    return _shown(tournament, list(brackets.values()), rounds, sight_of(tournament, live=live))


def _rounds_of(tournament: Tournament) -> QuerySet[Round]:
    rounds = Round.objects.filter(bracket__tournament=tournament).select_related("bracket")
    return rounds.order_by("bracket__position", "number")


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


def _shown(
    tournament: Tournament, brackets: Sequence[Bracket], rounds: Sequence[Round], sight: Sight
) -> list[BracketShown]:
    released = is_released(tournament)
    rows = rows_of(brackets)
    seen = seen_in(rows, sight)
    around = around_of(tournament, brackets)
    parts = {one.pk: one for one in rounds}
    shown: dict[int, list[PairingShown]] = {pk: [] for pk in parts}
    for row in rows:
        if row.round_id in parts:
            shown[row.round_id].append(_pairing(_as_seen(row, seen), parts[row.round_id], around))
    live = _live_stamps(rows, parts) if sight.is_live else seen_stamps([one.pk for one in brackets], sight)
    return [
        BracketShown(
            id=bracket.pk,
            key=bracket.key,
            shape=bracket.shape,
            version=bracket.version,
            stamp=_stamp(bracket.version, live.get(bracket.pk, 0)),
            is_released=released,
            rounds=_rounds(bracket, [row for row in rounds if row.bracket_id == bracket.pk], shown, around),
        )
        for bracket in brackets
    ]


def _live_stamps(rows: Iterable[Row], parts: Mapping[int, Round]) -> Mapping[uuid.UUID, int]:
    live: Counter[int] = Counter()
    for row in rows:
        live[row.round_id] += row.version or 0
    stamps: Counter[uuid.UUID] = Counter()
    for pk, one in parts.items():
        stamps[one.bracket_id] += live[pk]
    return stamps


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
        RoundShown(row.pk, row.number, name, row.length, tuple(shown[row.pk]), row.games, row.minutes)
        for row, name in zip(rows, names, strict=True)
    )


def _as_seen(row: Row, seen: Mapping[uuid.UUID, Score]) -> Row:
    """A row whose match is not decided, with what is seen of it in place of what is kept."""
    score = seen.get(row.match_id) if row.match_id is not None else None
    if score is None:
        return row
    return row._replace(
        left_points=score.left,
        right_points=score.right,
        is_crawford=score.is_crawford,
        match_state=MatchState.OPEN,
    )


def _pairing(row: Row, part: Round, around: Around) -> PairingShown:
    result = around.posted.get(row.id)
    number = around.numbers.get(row.id)
    return PairingShown(
        id=row.id,
        number=number.number if number else None,
        called=number.called if number else "",
        round=part.number,
        line=row.line,
        left=_seat(row, "left", result, around),
        right=_seat(row, "right", result, around),
        length=part.length,
        games=part.games,
        minutes=part.minutes,
        state=state_of(row.settled, row.match_state, is_posted=result is not None, has_begun=row.has_begun),
        how=how_decided(row.settled, result.kind if result else None),
        is_crawford=bool(row.is_crawford) and result is None,
        is_second_final=row.id in around.again,
        match_id=row.match_id,
        table=around.tables.get(row.id, ""),
        onward=around.onward.get(row.id),
    )


def _points(row: Row, seat: str, entry: uuid.UUID, result: Posted | None) -> int | None:
    """The posted points, otherwise the running score once the match has begun."""
    if result is not None:
        return result.left if seat == "left" else result.right
    if not row.has_begun or row.settled:
        return None
    return row.left_points if entry == row.match_left else row.right_points


def _seat(row: Row, seat: str, result: Posted | None, around: Around) -> SeatShown:
    """Somebody who was removed since the seats were read is not shown any more."""
    is_left = seat == "left"
    if row.left_is_bye if is_left else row.right_is_bye:
        return SeatShown(is_bye=True)
    entry = row.left_id if is_left else row.right_id
    entrant = None if entry is None else around.entrants.get(entry)
    if entry is None or entrant is None:
        return SeatShown(coming=around.coming.get((row.id, seat)))
    return SeatShown(
        entry_id=entry,
        name=entrant.name,
        country=entrant.country,
        club=entrant.club,
        seed=entrant.seed,
        is_withdrawn=entrant.is_withdrawn,
        points=_points(row, seat, entry, result),
        is_winner=entry == (result.winner if result else row.winner_id),
        coming=around.coming.get((row.id, seat)),
    )
