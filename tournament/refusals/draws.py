"""Refusals of draws, their release, their order, and the secret of a public draw."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

DRAW_TAKEN_BACK = Refusal(
    "draw-changed", _("The draw was taken back in the meantime. Look at the entries, then draw again.")
)
DRAWN_BY = Refusal(
    "draw-changed",
    _("{who} made draw {number} in the meantime. Look at it, then draw again if you still want to."),
)
OTHER_DRAW_TO_RELEASE = Refusal(
    "draw-changed", _("{who} made draw {number} in the meantime. Check it, then release it.")
)
NO_DRAW_TO_TAKE_BACK = Refusal("no-draw", _("There is no draw to take back. Load the page again."))
NO_DRAW_TO_RELEASE = Refusal("no-draw", _("There is no draw yet. Draw first, then release."))
PLAY_HAS_BEGUN = Refusal(
    "play-has-begun",
    _("A match has begun, so the draw cannot change any more. Swap single seats or correct results instead."),
)
JACKPOT_IS_DRAWN = Refusal(
    "jackpot-is-drawn",
    _("A jackpot is drawn, so the draw cannot change any more. Swap single seats instead."),
)
REDRAW_REASON_NEEDED = Refusal(
    "reason-needed",
    _("This draw is already known. Write a reason for taking it back; it is kept in the journal."),
)
ENTRIES_OUT_OF_RANGE = Refusal(
    "entries-out-of-range",
    _("A draw needs {fewest} to {most} entries, and there are {count}. Change the entries, then draw."),
)
NO_SEEDS = Refusal("no-seeds", _("No entry has a seed. Enter seeds on the entries page, or draw at random."))
NO_SHEET = Refusal(
    "no-sheet",
    _(
        "Only a knock-out or a double elimination draws byes and lines of seeds. "
        "Draw without them. If the entries are closed, close them again first."
    ),
)
RULES_NOT_POSSIBLE = Refusal("cannot-be-drawn", _("The draw is not possible with these rules. {reason}"))
FORMAT_NOT_POSSIBLE = Refusal(
    "format-cannot-be-drawn",
    _("The draw is not possible in this format. {reason} Change the format, or the entries."),
)
SEEDS_NOT_POSSIBLE = Refusal("too-few-ratings", _("There are too few ratings. {reason}"))
SECRET_REASON_NEEDED = Refusal(
    "reason-needed", _("Discarding the secret needs a reason. Write one; it is kept in the journal.")
)
REOPENING_REASON_NEEDED = Refusal(
    "reason-needed",
    _("Reopening the entries needs a reason. Write one; it appears on the page of the draw."),
)
ENTRIES_NOT_CLOSED = Refusal(
    "entries-open", _("The entries are not closed yet. Close them, then throw the dice.")
)
ENTRIES_OPEN_ALREADY = Refusal("entries-open", _("The entries are already open. Load the page again."))
CLOSED_BY_EARLIER_VERSION = Refusal(
    "closed-by-earlier-version",
    _("The entries were closed by an earlier version of this program. Close them again and throw new dice."),
)
ENTRIES_CHANGED = Refusal(
    "entries-changed",
    _("Entries or format changed after the entries were closed. Close them again and throw new dice."),
)
NO_SECRET = Refusal(
    "no-secret", _("There is no secret yet. Make it first: its hash must be public before the entries close.")
)
DICE_NOT_POSSIBLE = Refusal("no-dice", _("The draw needs the public dice or number. {reason}"))
