"""Refusals of seats that change: swaps, corrections, second entries."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

NO_SUCH_SEAT = Refusal("no-such-seat", _("This seat is not in the current draw. Load the page again."))
SEATS_CHANGED = Refusal("seats-changed", _("These seats have changed. Load the page again."))
OTHER_BRACKET = Refusal(
    "other-bracket", _("These seats belong to different brackets. Choose two seats of one bracket.")
)
OTHER_ROUND = Refusal(
    "other-round", _("These seats belong to different rounds. Choose two seats of one round.")
)
SAME_ON_BOTH = Refusal(
    "same-on-both",
    _("Both seats have the same player or a bye, so a swap changes nothing. Choose another seat."),
)
SAME_MATCH = Refusal(
    "same-match", _("These two players already meet each other. Choose seats of two matches.")
)
SAME_PLAYER = Refusal("same-player", _("Both entries belong to the same player. Choose another seat."))
MEET_TWICE = Refusal("meet-twice", _("These two players already meet in another round. Choose another seat."))
TWO_BYES = Refusal("two-byes", _("Two byes would meet. Choose another seat."))
SEAT_IS_PLAYED = Refusal(
    "seat-is-played",
    _("A match of this seat, or the match after it, has begun. Choose a seat whose match has not begun."),
)
SWAP_REASON_NEEDED = Refusal(
    "reason-needed", _("This draw is already known. Write a reason for the swap; it is kept in the journal.")
)
BYE_DECIDES_SECOND_CHANCE = Refusal(
    "bye-decides-second-chance",
    _(
        "This bye decides who plays in the consolation, which cannot change to match. "
        "Swap other seats, or draw again."
    ),
)
MEETS_OWN_ENTRY = Refusal(
    "meets-themselves",
    _("An entry would meet itself, because a match was kept as played. Take that back first."),
)
SEATED_TWICE = Refusal(
    "kept-as-played",
    _("An entry would be at two tables, because a later match was kept as played. Take that back first."),
)
TWO_ENTRIES_IN_PLAY = Refusal(
    "in-twice",
    _("{name} has entered again as {again}, so both entries would be in play. Withdraw {again} first."),
)
REPORTED_RESULT_OPEN = Refusal(
    "settle-first", _("A match of this player has a reported result. Confirm or decide it first.")
)
