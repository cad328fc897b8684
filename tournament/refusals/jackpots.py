"""Refusals of jackpots."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

JACKPOT_SIZE_UNKNOWN = Refusal(
    "size-unknown", _("A jackpot is for 4 or 8 players. Choose one of these sizes.")
)
JACKPOT_KEY_REUSED = Refusal("key-reused", _("This key was used for another jackpot. Use a new key."))
JACKPOT_BEFORE_RELEASE = Refusal(
    "not-released", _("The draw is not released, so there are no jackpots yet. Release the draw first.")
)
JACKPOT_STARTED = Refusal("jackpot-started", _("Jackpot {number} is full and drawn. Join another one."))
JACKPOT_CLOSED = Refusal("jackpot-closed", _("Jackpot {number} is closed. Join another one."))
PLAYER_WITHDRAWN = Refusal("withdrawn", _("{name} is withdrawn. Undo the withdrawal first."))
JOINED_ALREADY = Refusal("joined-already", _("{name} is already in this jackpot. Load the page again."))
