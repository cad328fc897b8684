"""Match lengths and sessions of stake play by round, from the final backwards, and their limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from matches.models import MOST_GAMES
from tournament.draw.formats import Kind
from tournament.forecast.games import length_of_session
from tournament.forecast.urgency import length_for_minutes
from tournament.models import Tournament
from tournament.models.events import MOST_MINUTES
from tournament.refusals.lengths import (
    GAMES_OR_MINUTES,
    GAMES_OUT_OF_RANGE,
    LENGTH_OUT_OF_RANGE,
    NO_LENGTH,
    SESSION_MINUTES_OUT_OF_RANGE,
)
from tournament.runtime.errors import Refused

SHORTEST, LONGEST = 1, 99


@dataclass(frozen=True, slots=True)
class StakePlay:
    """Sessions without a match length: of so many `games`, or until so many `minutes` are over; one of the two."""

    games: int | None = None
    minutes: int | None = None


PlayedTo: TypeAlias = int | StakePlay
"""A match length, or a session of stake play."""
To = TypeVar("To")


class Planned(Protocol):
    """A round or a tournament, or a row of their values."""

    @property
    def games(self) -> int | None: ...
    @property
    def minutes(self) -> int | None: ...


class PlannedRound(Planned, Protocol):
    @property
    def length(self) -> int | None: ...


def stake_play(planned: Planned) -> StakePlay | None:
    """Returns the sessions of a tournament; None if it plays matches to a length."""
    if planned.games is None and planned.minutes is None:
        return None
    return StakePlay(planned.games, planned.minutes)


def played_to(row: PlannedRound) -> PlayedTo:
    return StakePlay(row.games, row.minutes) if row.length is None else row.length


def round_fields(to: PlayedTo) -> dict[str, int | None]:
    if isinstance(to, StakePlay):
        return {"length": None, "games": to.games, "minutes": to.minutes}
    return {"length": to, "games": None, "minutes": None}


def planned_length(to: PlayedTo) -> int:
    """Returns the match length with the same planned duration."""
    if not isinstance(to, StakePlay):
        return to
    return length_of_session(to.games) if to.games is not None else length_for_minutes(to.minutes or 1)


def length_of_round(lengths: Sequence[To], rounds: int, number: int) -> To:
    """The match length of round `number` (from 1) of `rounds`; `lengths` run from the final backwards."""
    from_final = rounds - number
    return lengths[min(from_final, len(lengths) - 1)]


def planned_rounds_of_lives(number: int, players: int, rounds: int = 0) -> int:
    """Returns the round that counts as the final of a lives event when round `number` is paired with so many players
    in.

    It is `rounds` if the event stops after so many. Otherwise two players play the final, up to four the round before
    it, up to eight the one before that.
    """
    return rounds or number + max(0, (players - 1).bit_length() - 1)


def bracket_lengths(tournament: Tournament, bracket: str) -> Sequence[PlayedTo]:
    """The lengths of this bracket from its last round backwards: its own, those of its kind ("group"), or the
    tournament's.

    The last round of a group is not a final: groups without lengths of their own play the tournament's last length.
    In stake play a bracket without lengths of its own is played in sessions.
    """
    kind = bracket.rstrip("0123456789").rstrip()
    own: list[int] | None = tournament.side_lengths.get(bracket) or tournament.side_lengths.get(kind)
    stake = stake_play(tournament)
    if stake is not None:
        return own or [stake]
    if own is None and tournament.format.get("kind") == Kind.DOUBLE:
        return _double_elimination_lengths(tournament, bracket)
    lengths: list[int] = own or (tournament.lengths[-1:] if kind == "group" else tournament.lengths)
    return lengths


def _double_elimination_lengths(tournament: Tournament, bracket: str) -> list[int]:
    """The final and the second final have the first length; upper and lower bracket continue with the next.

    If the final has its own lengths, upper and lower bracket use those of the tournament.
    """
    lengths: list[int] = tournament.lengths
    if bracket == "final":
        return lengths[:1]
    has_final_of_its_own = bool(tournament.side_lengths.get("final"))
    return lengths if has_final_of_its_own or bracket not in ("main", "lower") else lengths[1:] or lengths


def validate_lengths(lengths: Sequence[int]) -> list[int]:
    """Returns the lengths. Raises Refused if no match can have one of them."""
    if not lengths:
        raise Refused(NO_LENGTH)
    for length in lengths:
        if not SHORTEST <= length <= LONGEST:
            raise Refused(LENGTH_OUT_OF_RANGE, shortest=SHORTEST, longest=LONGEST, length=length)
    return list(lengths)


def validate_round_length(to: PlayedTo) -> PlayedTo:
    """Returns the length or the sessions of a round. Raises Refused if they cannot be played."""
    return validate_stake_play(to) if isinstance(to, StakePlay) else validate_lengths([to])[0]


def validate_stake_play(stake: StakePlay) -> StakePlay:
    """Returns the sessions. Raises Refused if they cannot be played."""
    if (stake.games is None) == (stake.minutes is None):
        raise Refused(GAMES_OR_MINUTES)
    if stake.games is not None and not 1 <= stake.games <= MOST_GAMES:
        raise Refused(GAMES_OUT_OF_RANGE, most=MOST_GAMES, games=stake.games)
    if stake.minutes is not None and not 1 <= stake.minutes <= MOST_MINUTES:
        raise Refused(SESSION_MINUTES_OUT_OF_RANGE, most=MOST_MINUTES, minutes=stake.minutes)
    return stake
