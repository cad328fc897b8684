"""The tasks that the help page explains, and the search in it. The keys of topics are anchors of the page."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Topic:
    key: str
    title: Promise
    text: Promise


TASKS = (
    Topic(
        "begin",
        _("Begin an event"),
        _(
            "On the first page choose “New event”. Add a tournament, enter or import the players, make "
            "the draw, and release it. The event is private until you publish it."
        ),
    ),
    Topic(
        "visibility",
        _("Hide or publish an event"),
        _(
            "Open “Event details” and choose who can see it: only staff and players, visitors with a "
            "secret address, or everybody. A single tournament has the same choice under “Set-up”."
        ),
    ),
    Topic(
        "copy",
        _("Copy last week's event"),
        _(
            "Open “Event details” and choose “Copy the event”. Tournaments, match lengths, rules, tables "
            "and screens are copied; players and results are not."
        ),
    ),
    Topic(
        "undo-delete",
        _("Bring a deleted event back"),
        _(
            "Open the bin at the end of the first page and choose “Restore”. Deleted events and "
            "tournaments stay there for 30 days."
        ),
    ),
    Topic(
        "phones",
        _("Players' phones"),
        _(
            "Print slips and give one to each player. The code on the slip opens the player's matches, "
            "and scores can be entered without an account. Scores entered without a connection are sent "
            "later."
        ),
    ),
    Topic(
        "fees",
        _("Fees and side pools"),
        _(
            "Open “Set-up” of the tournament, then “Fees”. Write what an entry costs and where it goes. "
            "Under “Prices and side pools”, tick who is a member and who plays in which pool. Entries are "
            "charged at once, and the tab “Money” of the event takes the payments."
        ),
    ),
    Topic(
        "cash-desk",
        _("Payments and receipts"),
        _(
            "Open “Money” of the event. One tap takes what a player owes; “Other” takes a part, a transfer "
            "or another currency. A payment can be taken back. “Receipt” beside a payment prints one with "
            "a number."
        ),
    ),
    Topic(
        "tills",
        _("Count a till"),
        _(
            "Each helper has an own till. Open “Money”, then “Tills”, count the notes and coins, and print "
            "the sheet. A difference needs a reason. Cash can be handed over from one till to another."
        ),
    ),
    Topic(
        "prizes",
        _("Prizes and payouts"),
        _(
            "Open “Set-up” of the tournament, then “Prizes”, and choose how the pot is split. When the "
            "tournament is over, award the prizes under “Money”, “Payouts”. Debts are taken out of a prize."
        ),
    ),
    Topic(
        "refunds",
        _("Give money back"),
        _(
            "A player who withdraws gets back what the rules under “Withdrawals” say, after you confirm it. "
            "The cash desk then shows the amount with a button."
        ),
    ),
    Topic(
        "late",
        _("A late player"),
        _(
            "After the draw, open “Entries” and enter the player late. A free seat in the first round is "
            "used where there is one."
        ),
    ),
    Topic(
        "correct",
        _("A wrong result"),
        _(
            "Open the match at the desk and choose to correct the result. You see what changes in the "
            "bracket before you confirm, and you can undo it."
        ),
    ),
    Topic(
        "absent",
        _("A player does not come"),
        _(
            "Open the match at the desk and post a no-show. Withdraw the player too if no more matches "
            "are to be played."
        ),
    ),
    Topic(
        "next-round",
        _("The next round of a Swiss tournament"),
        _(
            "When the last result of a round is in, pair and release the next round with one tap. Or choose its "
            "preview: only staff sees it. Look at it, change pairs if you need to, then release the round."
        ),
    ),
    Topic(
        "room",
        _("Call matches to tables"),
        _(
            "Add the tables under “Tables”, for example 1-24. In “Room”, drag a match onto a free table, or "
            "choose a match and then a table. With the keyboard, choose the dots beside a match with Enter, "
            "type the number of the table and press Enter. “Fill free tables” calls the next matches to all of them."
        ),
    ),
    Topic(
        "screens",
        _("Screens in the hall"),
        _(
            "Open “Screens”, create a link for each screen, and open it there. On a TV, type the short "
            "address. A lost link can be replaced by a new one."
        ),
    ),
    Topic(
        "kiosk",
        _("A tablet for check-in at the door"),
        _(
            "Open “Kiosk”, turn it on, and open its link on the tablet. Players tap their name to check in "
            "and see their next match. The link opens nothing else."
        ),
    ),
)


def search_topics(topics: tuple[Topic, ...], words: str) -> list[Topic]:
    """Returns the topics that contain all these words, in the language of the reader."""
    wanted = words.casefold().split()
    return [
        topic for topic in topics if all(word in f"{topic.title} {topic.text}".casefold() for word in wanted)
    ]
