"""Match lengths by round, from the final backwards, and their limits."""

from collections.abc import Sequence

from tournament.draw.formats import Kind
from tournament.errors import Refused
from tournament.models import Tournament

SHORTEST, LONGEST = 1, 99


def length_of_round(lengths: Sequence[int], rounds: int, number: int) -> int:
    """The match length of round `number` (from 1) of `rounds`; `lengths` run from the final backwards."""
    from_final = rounds - number
    return lengths[min(from_final, len(lengths) - 1)]


def rounds_of_lives(number: int, players: int, rounds: int = 0) -> int:
    """The round taken for the final of a lives event when round `number` is paired with so many players still in.

    It is `rounds` where the event stops after so many. Otherwise two players play the final, up to four the round
    before it, up to eight the one before that.
    """
    return rounds or number + max(0, (players - 1).bit_length() - 1)


def lengths_of(tournament: Tournament, bracket: str) -> list[int]:
    """The lengths of this bracket from its last round backwards: its own, those of its kind ("group"), or all's."""
    kind = bracket.rstrip("0123456789").rstrip()
    own: list[int] | None = tournament.side_lengths.get(bracket) or tournament.side_lengths.get(kind)
    if own is None and tournament.format.get("kind") == Kind.DOUBLE:
        return _of_double_elimination(tournament, bracket)
    return own or tournament.lengths


def _of_double_elimination(tournament: Tournament, bracket: str) -> list[int]:
    """The title's final and second final have the first length; upper and lower bracket count on from the next.

    Where the final has lengths of its own, those of the tournament are the upper and lower bracket's.
    """
    lengths: list[int] = tournament.lengths
    if bracket == "final":
        return lengths[:1]
    has_final_of_its_own = bool(tournament.side_lengths.get("final"))
    return lengths if has_final_of_its_own or bracket not in ("main", "lower") else lengths[1:] or lengths


def checked(lengths: Sequence[int]) -> list[int]:
    """The lengths, if a match can have each of them; raises Refused otherwise."""
    if not lengths:
        raise Refused("no-length", "Give at least one match length.")
    for length in lengths:
        if not SHORTEST <= length <= LONGEST:
            raise Refused(
                "length-out-of-range",
                "A match goes to {shortest} to {longest} points, not {length}.",
                shortest=SHORTEST,
                longest=LONGEST,
                length=length,
            )
    return list(lengths)
