"""Models of an event: fields, named constraints and properties of loaded fields. Nothing here writes."""

from tournament.models.accounts import Account, AccountEvent, AccountEventKind, Invitation
from tournament.models.brackets import (
    Bracket,
    Commitment,
    Draw,
    Feed,
    FormerDraw,
    Pairing,
    Reopening,
    Round,
    RoundBasis,
    SeatChange,
    SeatChangeKind,
    Shape,
)
from tournament.models.calcutta import Calcutta, CalcuttaBid, CalcuttaLot, CalcuttaSeat, CalcuttaShare
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
from tournament.models.events import Event, Membership, Role, RoundRelease, Tournament, Visibility
from tournament.models.jackpots import Jackpot, JackpotSeat
from tournament.models.ledger import (
    PAYMENT_METHODS,
    AccountKind,
    Deed,
    LedgerAccount,
    LedgerTransaction,
    PayoutSignature,
    Transfer,
)
from tournament.models.links import ApiToken, PersonalLink, Scope, SignInLink
from tournament.models.organizers import Organizer
from tournament.models.pictures import EventLogo, WinnerPicture
from tournament.models.receipts import Receipt, ReceiptCounter
from tournament.models.room import Call, Pin, Room, Table, TableOccupancy
from tournament.models.rounds import PairRule, PreviewSwap, RoundPreview
from tournament.models.screens import DisplayLink, KioskLink, Slide
from tournament.models.sessions import Session
from tournament.models.settlements import Hedge, Settlement
from tournament.models.tills import CashClosing, ExchangeRate

__all__ = [
    "PAYMENT_METHODS",
    "Account",
    "AccountEvent",
    "AccountEventKind",
    "AccountKind",
    "ApiToken",
    "Bracket",
    "Calcutta",
    "CalcuttaBid",
    "CalcuttaLot",
    "CalcuttaSeat",
    "CalcuttaShare",
    "Call",
    "CashClosing",
    "Commitment",
    "Correction",
    "Deed",
    "DisplayLink",
    "Draw",
    "Entry",
    "Event",
    "EventLogo",
    "Evidence",
    "ExchangeRate",
    "Feed",
    "FormerDraw",
    "Hedge",
    "Invitation",
    "Jackpot",
    "JackpotSeat",
    "JournalLine",
    "KeptSeat",
    "KioskLink",
    "LedgerAccount",
    "LedgerTransaction",
    "Membership",
    "Organizer",
    "PairRule",
    "Pairing",
    "PayoutSignature",
    "PersonalLink",
    "Pin",
    "Player",
    "PreviewSwap",
    "Question",
    "Receipt",
    "ReceiptCounter",
    "Reopening",
    "Result",
    "ResultKind",
    "Role",
    "Room",
    "Round",
    "RoundBasis",
    "RoundPreview",
    "RoundRelease",
    "Scope",
    "SeatChange",
    "SeatChangeKind",
    "Session",
    "Settlement",
    "Shape",
    "SignInLink",
    "Slide",
    "Table",
    "TableOccupancy",
    "Tournament",
    "Transfer",
    "Visibility",
    "WinnerPicture",
]
