"""The tasks that the help page explains."""

from django.utils.translation import gettext_lazy as _

from tournament.pages.help.money_topics import MONEY_TASKS
from tournament.pages.help.topic import Topic

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
    *MONEY_TASKS,
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
