"""The rows of an event, by noun. Fields, named constraints and properties over loaded fields; nothing here writes."""

from tournament.models.brackets import (
    Bracket,
    Commitment,
    Draw,
    Feed,
    Pairing,
    Round,
    SeatChange,
    SeatChangeKind,
    Shape,
)
from tournament.models.desk import Correction, JournalLine, KeptSeat, Question, Result, ResultKind
from tournament.models.entries import Entry, Player
from tournament.models.events import Event, Membership, Role, Tournament
from tournament.models.jackpots import Jackpot, JackpotSeat
from tournament.models.links import ApiToken, PersonalLink, SignInLink

__all__ = [
    "ApiToken",
    "Bracket",
    "Commitment",
    "Correction",
    "Draw",
    "Entry",
    "Event",
    "Feed",
    "Jackpot",
    "JackpotSeat",
    "JournalLine",
    "KeptSeat",
    "Membership",
    "Pairing",
    "PersonalLink",
    "Player",
    "Question",
    "Result",
    "ResultKind",
    "Role",
    "Round",
    "SeatChange",
    "SeatChangeKind",
    "Shape",
    "SignInLink",
    "Tournament",
]
