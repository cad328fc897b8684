"""Refusals of disputes and rulings."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

DISPUTED = Refusal(
    "disputed", _("The desk is deciding this match, so no result is posted yet. Ask at the desk.")
)
DISPUTE_AFTER_POSTING = Refusal(
    "posted-already", _("The result is already posted. Ask the desk to correct it.")
)
NOTHING_TO_DECIDE = Refusal(
    "nothing-disputed", _("There is nothing to decide in this match. Load the page again.")
)
NO_OPEN_DISPUTE = Refusal(
    "nothing-disputed", _("No dispute is open in this match. Ask the desk to decide first.")
)
NO_OWN_DISPUTE = Refusal(
    "nothing-disputed", _("You have no open dispute in this match. Load the page again.")
)
RULING_TEXT_WANTED = Refusal(
    "ruling-wanted", _("The ruling has no text. Write in a sentence what is decided; the players read it.")
)
RULING_WANTED = Refusal(
    "ruling-wanted", _("The players wait for a ruling. Decide it on the page of the match.")
)
CARD_INCOMPLETE = Refusal(
    "card-incomplete", _("This card does not end the match. Enter the final score instead.")
)
FINAL_SCORE_WANTED = Refusal(
    "score-wanted", _("The final score is missing. Enter the points of both players.")
)
PHOTOS_ENOUGH = Refusal(
    "photos-enough", _("You have already sent {most} photos, which is the limit. Show others at the desk.")
)
