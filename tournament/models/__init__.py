"""The rows of an event, by noun. Fields, named constraints and properties over loaded fields; nothing here writes."""

from tournament.models.brackets import Bracket, Draw, Feed, Pairing, Round
from tournament.models.desk import JournalLine, Question, Result, ResultKind
from tournament.models.entries import Entry, Player
from tournament.models.events import Event, Membership, Role, Tournament
from tournament.models.links import ApiToken, PersonalLink, SignInLink

__all__ = [
    "ApiToken",
    "Bracket",
    "Draw",
    "Entry",
    "Event",
    "Feed",
    "JournalLine",
    "Membership",
    "Pairing",
    "PersonalLink",
    "Player",
    "Question",
    "Result",
    "ResultKind",
    "Role",
    "Round",
    "SignInLink",
    "Tournament",
]
