"""Refusals of corrections and of their undoing."""

from django.utils.translation import gettext_noop

from matches.refusals import Refusal

CORRECTION_REASON_NEEDED = Refusal(
    "reason-needed", gettext_noop("A correction needs a reason. Write one; it is kept in the journal.")
)
PREVIEW_CHANGED = Refusal(
    "preview-changed",
    gettext_noop(
        "The consequences have changed since your preview. Check the new preview, then confirm again."
    ),
)
CANNOT_KEEP = Refusal(
    "cannot-keep",
    gettext_noop(
        "Keeping this match as played would seat a player twice. Cancel it, or keep the match before it too."
    ),
)
NOTHING_DECIDED = Refusal(
    "nothing-decided", gettext_noop("A result that is taken back has no winner and no score. Leave them out.")
)
SCORE_OF_OTHER_WINNER = Refusal(
    "score-other-winner", gettext_noop("With this score the other player wins. Check winner and score.")
)
NEWER_DEPENDS = Refusal(
    "newer-depends",
    gettext_noop("A later result or match depends on this correction. Correct that one instead."),
)
