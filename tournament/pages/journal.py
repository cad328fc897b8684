"""The journal page of an event, filtered by tournament and by action."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import amount_of_text, format_amount
from tournament.models import Event
from tournament.pages.director.actions import page
from tournament.pages.director.context import Permissions, event_context
from tournament.pages.entries.changes import NOTHING
from tournament.pages.journal_sentences import (
    HIDDEN_KEYS,
    RESULT_KEYS,
    SCORE_KEYS,
    has_result,
    result_text,
    score_changes,
    sentence,
)
from tournament.pages.journal_undo import undo_button, undo_together_button
from tournament.pages.journal_words import CODES, WORDS
from tournament.pages.tournaments.ruleset_forms import translate_title
from tournament.queries.journal import (
    Change,
    JournalFilter,
    JournalPageLine,
    list_journal_tournaments,
    load_journal,
)

ACTIONS: Mapping[str, Promise] = {
    "create event": _("created the event"),
    "change event": _("changed the event"),
    "create tournament": _("created the tournament"),
    "change tournament": _("changed the set-up"),
    "give role": _("gave a role"),
    "take role": _("removed a role"),
    "invite": _("invited to a role"),
    "withdraw invitation": _("withdrew an invitation"),
    "accept role": _("accepted a role"),
    "decline role": _("declined a role"),
    "close account": _("closed an account"),
    "hide event": _("hid the event from public lists"),
    "list event": _("put the event into public lists"),
    "change visibility": _("changed who may see it"),
    "make new address": _("created a new secret address"),
    "archive tournament": _("archived the tournament"),
    "take out of archive": _("took the tournament out of the archive"),
    "delete event": _("moved the event to the bin"),
    "restore event": _("took the event out of the bin"),
    "delete tournament": _("moved the tournament to the bin"),
    "restore tournament": _("took the tournament out of the bin"),
    "copy event": _("copied the event"),
    "close event": _("archived the event"),
    "reopen event": _("took the event out of the archive"),
    "make helper": _("created a helper's account"),
    "let in again": _("created a sign-in link"),
    "enter": _("entered a player"),
    "change entry": _("changed an entry"),
    "check in": _("checked in"),
    "undo check in": _("took a check-in back"),
    "check in at kiosk": _("checked in at the kiosk"),
    "undo check in at kiosk": _("took a check-in back at the kiosk"),
    "mark paid": _("marked as paid"),
    "mark unpaid": _("marked as not paid"),
    "withdraw": _("withdrew"),
    "undo withdrawal": _("brought back"),
    "lay out again": _("rebuilt the brackets for losers"),
    "remove entry": _("removed an entry"),
    "remove person": _("removed the personal data of a player"),
    "split entry": _("split an entry off from a player"),
    "merge players": _("merged two players"),
    "import entries": _("imported a list"),
    "copy entries": _("copied players of another tournament"),
    "undo copy": _("removed copied players"),
    "draw": _("made the draw"),
    "redraw": _("drew again"),
    "undo draw": _("took the draw back"),
    "release draw": _("released the draw"),
    "commit to secret": _("made the secret of a public draw"),
    "close entries": _("closed entries for a public draw"),
    "reopen entries": _("reopened entries"),
    "give secret up": _("discarded the secret of a public draw"),
    "seed by rating": _("seeded by rating"),
    "correct with consequences": _("corrected a result with all that follows"),
    "undo correction": _("undid a correction"),
    "rebuild": _("repaired seats"),
    "pair round": _("paired a round"),
    "take round back": _("took a round back"),
    "preview round": _("paired a round as a preview"),
    "discard preview": _("discarded the preview of a round"),
    "swap in preview": _("swapped two players before the release of a round"),
    "undo swap in preview": _("undid a swap before the release of a round"),
    "release round": _("released a round"),
    "undo release of round": _("hid a released round again"),
    "set release of rounds": _("set when rounds are released"),
    "add logo": _("added a logo"),
    "remove logo": _("removed the logo"),
    "restore logo": _("restored a logo"),
    "add winner picture": _("added a picture of winners"),
    "remove winner picture": _("removed a picture of winners"),
    "restore winner picture": _("restored a picture of winners"),
    "plan times": _("planned when rounds start"),
    "stop automatic pairing": _("stopped the automatic pairing of a round"),
    "resume automatic pairing": _("resumed the automatic pairing of a round"),
    "pair by hand": _("paired two players by hand"),
    "undo pair by hand": _("removed a pair set by hand"),
    "keep apart": _("kept two players apart"),
    "allow pair again": _("allowed two players to meet again"),
    "change length": _("changed a round's match length"),
    "stop round": _("ended the sessions of a round"),
    "change clock": _("changed a round's clock"),
    "swap seats": _("swapped two seats"),
    "enter late": _("entered a player late"),
    "give losses": _("let a late player start with losses"),
    "give seat": _("gave a seat"),
    "re-enter": _("entered a player again"),
    "set re-entry": _("set the terms of re-entry"),
    "set fees": _("set the fees"),
    "choose prices": _("chose prices and side pools"),
    "set prizes": _("set the prizes"),
    "change prize templates": _("changed the templates of prizes"),
    "charge": _("charged entries"),
    "pay": _("took a payment"),
    "refund": _("refunded a payment"),
    "award prizes": _("awarded prizes"),
    "pay out": _("paid prizes out"),
    "set auction": _("set the auction of players"),
    "remove auction": _("removed the auction of players"),
    "change lots": _("changed the lots of the auction"),
    "bid": _("recorded a bid"),
    "take bid back": _("took a bid back"),
    "sell lot": _("sold a lot"),
    "take sale back": _("took the sale of a lot back"),
    "share lot": _("changed the owners of a lot"),
    "award auction": _("awarded the pot of the auction"),
    "take payout back": _("took a payout back"),
    "move payment": _("moved a payment to another player"),
    "take payment back": _("took a payment back"),
    "set exchange rate": _("set a rate of exchange"),
    "remove exchange rate": _("removed a rate of exchange"),
    "change organizer": _("changed the organizer"),
    "choose organizer": _("chose another organizer"),
    "issue receipt": _("issued a receipt"),
    "close till": _("counted a till"),
    "take count back": _("took the count of a till back"),
    "hand over cash": _("handed cash over"),
    "take handover back": _("took a handover of cash back"),
    "put cash in": _("put cash into the organizer's cash box"),
    "take cash out": _("took cash out of the organizer's cash box"),
    "undo cash in or out": _("undid cash put into the organizer's cash box or taken out"),
    "propose settlement": _("proposed a settlement"),
    "agree settlement": _("agreed on a settlement"),
    "close settlement": _("ended a proposed settlement"),
    "propose hedge": _("proposed a hedge"),
    "agree hedge": _("agreed on a hedge"),
    "close hedge": _("ended a hedge"),
    "open jackpot": _("opened a jackpot"),
    "join jackpot": _("joined a jackpot"),
    "leave jackpot": _("left a jackpot"),
    "draw jackpot": _("drew a jackpot"),
    "close jackpot": _("closed a jackpot"),
    "give link": _("gave a personal link"),
    "give links": _("printed slips"),
    "approve link": _("approved a phone"),
    "revoke link": _("blocked a phone"),
    "post result": _("posted a result"),
    "correct result": _("corrected a result"),
    "take result back": _("took a result back"),
    "write on card": _("edited a score card"),
    "hand in late": _("sent a late score card"),
    "disagree": _("disagreed"),
    "take dispute back": _("took a dispute back"),
    "add photo": _("added a photo"),
    "rule": _("decided a dispute"),
    "take over": _("accepted the opponent's version"),
    "undo take over": _("went back to their own version"),
    "close question": _("closed a question"),
    "bring record": _("uploaded a game record"),
    "check record": _("checked a record"),
    "turn kiosk on": _("turned the kiosk on"),
    "turn kiosk off": _("turned the kiosk off"),
    "make screen": _("created a screen"),
    "change screen": _("changed a screen"),
    "renew screen link": _("created a new link for a screen"),
    "revoke screen": _("revoked a screen"),
    "add slide": _("added a slide"),
    "move slide": _("moved a slide"),
    "take slide away": _("removed a slide"),
    "find difference": _("found a record that differs from the result"),
    "call match": _("called a match"),
    "call again": _("called a second time"),
    "see playing": _("marked a match as playing"),
    "take call back": _("took a call back"),
    "undo call again": _("undid a second call"),
    "undo see playing": _("marked a match as not playing yet"),
    "restore call": _("restored a call"),
    "move match": _("moved a match to another table"),
    "add tables": _("added tables"),
    "undo add tables": _("removed tables that were just added"),
    "restore table": _("restored a removed table"),
    "change table": _("changed a table"),
    "close table": _("closed a table"),
    "open table": _("opened a table"),
    "remove table": _("removed a table"),
    "pin to table": _("pinned to a table"),
    "lift pin": _("removed a pin"),
    "set calling": _("set how matches are called"),
    "say left player": _("set the left player of a record"),
}
ACTORS: Mapping[str, Promise] = {"player": _("Players"), "system": _("Automatic")}
SIDE_FIELDS = ("card", "confirmed_by", "winner", "against", "left_player")
"""Fields that store a side of a match."""
LONGEST_LIST = 6
LONGEST_SEARCH = 60


@page("GET")
def event_journal(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DESK)
    wanted = JournalFilter(
        tournament=request.GET.get("tournament", ""),
        verb=request.GET.get("action", ""),
        player=request.GET.get("player", "")[:LONGEST_SEARCH],
        actor=request.GET.get("by", ""),
    )
    before = request.GET.get("before", "")
    start = int(before) if before.isascii() and before.isdecimal() and len(before) < 18 else None
    journal_page = load_journal(context.event, wanted, start, with_money=context.permissions.money)
    chosen = {
        "tournament": wanted.tournament,
        "action": wanted.verb,
        "player": wanted.player,
        "by": wanted.actor,
    }
    return context.render(
        request,
        "journal.html",
        "journal",
        lines=[line_text(line, context.event, context.permissions) for line in journal_page.lines],
        actions=[(verb, ACTIONS.get(verb, verb)) for verb in journal_page.verbs],
        actors=[*ACTORS.items(), *((user, user) for user in journal_page.users)],
        tournaments=list_journal_tournaments(context.event),
        chosen=chosen,
        newest=urlencode(chosen),
        older=urlencode(chosen | {"before": journal_page.older}) if journal_page.older else "",
        is_first_page=start is None,
    )


def line_text(line: JournalPageLine, event: Event, held: Permissions) -> dict[str, Any]:
    """Returns a line of the journal as a sentence, with its changes in words and the buttons that undo it."""
    is_result = has_result(line)
    hidden = {*HIDDEN_KEYS, *(RESULT_KEYS if is_result else SCORE_KEYS)}
    changes = [
        {
            "field": _field(change),
            "before": _value(line, change.path[-1], change.before) if line.is_change else "",
            "after": _value(line, change.path[-1], change.after),
        }
        for change in line.changes
        if hidden.isdisjoint(change.path)
    ]
    return {
        "line": line,
        "sentence": sentence(line, event, ACTIONS.get(line.verb, line.verb)),
        "result": result_text(line) if is_result else "",
        "changes": [*([] if is_result else score_changes(line)), *changes],
        "undo": undo_button(line, event, held),
        "undo_together": undo_together_button(line, event, held),
    }


def _field(change: Change) -> str:
    """Entries are named without the word before them."""
    path = change.path[1:] if change.path[0] == "entries" and len(change.path) > 1 else change.path
    return " · ".join(str(WORDS.get(step, step.replace("_", " "))) for step in path)


def _value(line: JournalPageLine, field: str, value: Any) -> str:
    if value is None or value == "" or value == ():
        return NOTHING
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, tuple) and len(value) > LONGEST_LIST:
        return gettext("{count} in all").format(count=len(value))
    if isinstance(value, tuple):
        return ", ".join(_text(line, field, item) for item in value)
    return _text(line, field, value)


def _text(line: JournalPageLine, field: str, value: Any) -> str:
    sides = dict(zip(("left", "right"), line.subject.sides, strict=True))
    if field in SIDE_FIELDS and sides.get(str(value)):
        return sides[str(value)]
    if field == "title":
        return translate_title(str(value))
    amount = amount_of_text(str(value))
    if amount is not None:
        return format_amount(amount, get_language() or "en")
    return str(CODES.get(field, {}).get(value, value))
