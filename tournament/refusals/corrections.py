"""Refusals of corrections and of their undoing."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

CORRECTION_REASON_NEEDED = Refusal(
    "reason-needed", _("A correction needs a reason. Write one; it is kept in the journal.")
)
PREVIEW_CHANGED = Refusal(
    "preview-changed",
    _("The consequences have changed since your preview. Check the new preview, then confirm again."),
)
CANNOT_KEEP = Refusal(
    "cannot-keep",
    _("Keeping this match as played would seat a player twice. Cancel it, or keep the match before it too."),
)
NOTHING_DECIDED = Refusal(
    "nothing-decided", _("A result that is taken back has no winner and no score. Leave them out.")
)
SCORE_OF_OTHER_WINNER = Refusal(
    "score-other-winner", _("With this score the other player wins. Check winner and score.")
)
NEWER_DEPENDS = Refusal(
    "newer-depends", _("A later result or match depends on this correction. Correct that one instead.")
)
