"""The rows of an event, by noun. Fields, named constraints and properties over loaded fields; nothing here writes."""

from tournament.models.brackets import (
    Bracket,
    Commitment,
    Draw,
    Feed,
    Pairing,
    Round,
    RoundBasis,
    SeatChange,
    SeatChangeKind,
    Shape,
)
from tournament.models.desk import (
    Correction,
    Evidence,
    JournalLine,
    KeptSeat,
    Question,
    Result,
    ResultKind,
)
from tournament.models.entries import Entry, Player
from tournament.models.events import Event, Membership, Role, Tournament
from tournament.models.jackpots import Jackpot, JackpotSeat
from tournament.models.links import ApiToken, PersonalLink, SignInLink
from tournament.models.room import AtTable, Call, Pin, Room, Table
from tournament.models.screens import DisplayLink, Slide

__all__ = [
    "ApiToken",
    "AtTable",
    "Bracket",
    "Call",
    "Commitment",
    "Correction",
    "DisplayLink",
    "Draw",
    "Entry",
    "Event",
    "Evidence",
    "Feed",
    "Jackpot",
    "JackpotSeat",
    "JournalLine",
    "KeptSeat",
    "Membership",
    "Pairing",
    "PersonalLink",
    "Pin",
    "Player",
    "Question",
    "Result",
    "ResultKind",
    "Role",
    "Room",
    "Round",
    "RoundBasis",
    "SeatChange",
    "SeatChangeKind",
    "Shape",
    "SignInLink",
    "Slide",
    "Table",
    "Tournament",
]
