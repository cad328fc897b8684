"""Match lengths by round, from the final backwards, and their limits."""

from collections.abc import Sequence

from tournament.errors import Refused
from tournament.models import Tournament

SHORTEST, LONGEST = 1, 99


def length_of_round(lengths: Sequence[int], rounds: int, number: int) -> int:
    """The match length of round `number` (from 1) of `rounds`; `lengths` run from the final backwards."""
    from_final = rounds - number
    return lengths[min(from_final, len(lengths) - 1)]


def lengths_of(tournament: Tournament, bracket: str) -> list[int]:
    """The lengths of this bracket from its last round backwards: its own, those of its kind ("group"), or all's."""
    kind = bracket.rstrip("0123456789").rstrip()
    lengths: list[int] = (
        tournament.side_lengths.get(bracket) or tournament.side_lengths.get(kind) or tournament.lengths
    )
    return lengths


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
