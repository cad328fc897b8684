"""Lines of charges, as transfers store them: `entry share 1 EUR`, `pool 2 registration EUR`, `jackpot 3 EUR`. Pure."""

from dataclasses import dataclass

ENTRY, RE_ENTRY, LATE, POOL = "entry", "re-entry", "late", "pool"
REGISTRATION = "registration"
EVENT_REGISTRATION = "event"
ONCE_IN_AN_EVENT = (EVENT_REGISTRATION, "membership")


@dataclass(frozen=True, slots=True)
class ChargeLine:
    """`fee` is the first word of the line, RE_ENTRY for the entry fee of a later entry. `pool`: the key, else empty.

    A share of a fee is a part of that fee. `is_registration`: paid for registration, not into a pot.
    """

    fee: str
    pool: str = ""
    is_registration: bool = False

    @property
    def is_once_in_an_event(self) -> bool:
        """True for fees that a player pays once, however many tournaments of the event the player enters."""
        return self.fee in ONCE_IN_AN_EVENT


def parse_charge_line(line: str, entry_number: int = 1) -> ChargeLine:
    """Reads a line with or without its currency. `entry_number` 2 is the first re-entry."""
    fee, *words = line.split(" ")
    is_registration = fee == LATE or REGISTRATION in (fee, *words)
    if fee == ENTRY and entry_number > 1:
        fee = RE_ENTRY
    return ChargeLine(fee, words[0] if fee == POOL else "", is_registration)
