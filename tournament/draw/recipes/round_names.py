"""Names of knock-out rounds, as codes. Templates translate them."""

from __future__ import annotations

from enum import StrEnum


class RoundName(StrEnum):
    """From the last round backwards."""

    FINAL = "final"
    SEMIFINALS = "semifinals"
    QUARTERFINALS = "quarterfinals"
    ROUND_OF_16 = "round_of_16"
    ROUND_OF_32 = "round_of_32"
    ROUND_OF_64 = "round_of_64"
    ROUND_OF_128 = "round_of_128"
    ROUND_OF_256 = "round_of_256"
    ROUND_OF_512 = "round_of_512"
    ROUND_OF_1024 = "round_of_1024"


_FROM_THE_LAST = tuple(RoundName)


def round_name(rounds_total: int, round_number: int) -> RoundName:
    """Returns the name of round `round_number`, from 1, of a knock-out of `rounds_total` rounds."""
    if not 1 <= round_number <= rounds_total <= len(_FROM_THE_LAST):
        raise ValueError(f"There is no round {round_number} in a knock-out of {rounds_total} rounds.")
    return _FROM_THE_LAST[rounds_total - round_number]
