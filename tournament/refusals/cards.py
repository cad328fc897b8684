"""Refusals of score cards while a match is played and confirmed. `matches.refusals` has those of a single row."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

GAMES_WANTED = Refusal("games-wanted", _("This tournament records every game. Enter the games one by one."))
OWN_CARD_WANTED = Refusal(
    "own-card-wanted",
    _("Each player keeps a card here. Enter your own, accept your opponent's, or ask the desk."),
)
OWN_REPORT = Refusal(
    "own-report", _("You reported this result, so you cannot confirm it. Ask your opponent, or the desk.")
)
CONFIRMATION_FINAL = Refusal(
    "confirmation-final", _("This confirmation can no longer be undone. Ask the desk to correct the result.")
)
CARD_CHANGED_SINCE = Refusal(
    "card-changed",
    _("The score card has changed since you looked at it. Check the new score, then decide again."),
)
CARDS_CHANGED = Refusal(
    "cards-changed",
    _(
        "The score cards have changed since you looked at them. Compare them again, then accept what is right."
    ),
)
NOTHING_TO_UNDO = Refusal(
    "nothing-to-undo", _("You have accepted nothing that could be undone. Check your card again.")
)
NOTHING_TO_TAKE_OVER = Refusal(
    "nothing-to-take", _("Your opponent's card is empty. Enter the games on yours.")
)
WHOLE_CARD_ONLY = Refusal("take-the-card", _("This line cannot be accepted alone. Accept the whole card."))
MATCH_CANCELLED = Refusal(
    "match-cancelled",
    _("The desk cancelled this match, so nothing can be entered. See your own page for your next match."),
)
NOTHING_REPORTED = Refusal(
    "nothing-reported", _("No result is reported for this match. Load the page again.")
)
