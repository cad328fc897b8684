"""Refusals of entries: registration, import, late entry, re-entry, personal data."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

ENTRIES_CLOSED = Refusal(
    "entries-closed",
    _(
        "The entries of {tournament} are closed for its public draw. "
        "To change them, reopen the entries on its draw page with a reason, then close them again."
    ),
)
ENTRY_LIST_CLOSED = Refusal(
    "already-drawn", _("The entry list is closed, because the draw is made. Undo the draw first.")
)
ENTERED_ALREADY = Refusal("entered-already", _("{name} is already entered. Load the page again."))
SAME_NAME_ENTERED = Refusal(
    "entered-already",
    _("{name} is already entered. If this is another player, give the club or the federation number."),
)
SEVERAL_PEOPLE = Refusal(
    "several-people",
    _("A player named {name} is already in the event. Choose that player or “Another person”."),
)
SEED_TAKEN = Refusal("seed-taken", _("Seed {seed} is already taken. Choose another seed."))
FEDERATION_ID_TAKEN = Refusal("id-taken", _("Federation number {id} is already entered. Check the number."))
NO_NAME = Refusal("no-name", _("The player has no name. Enter one."))
FIELD_IS_FULL = Refusal(
    "field-is-full",
    _("There would be {count} entries, and a tournament holds at most {most}. Create a second tournament."),
)
PLAYER_REMOVED = Refusal(
    "player-removed",
    _(
        "The personal data of this player were removed permanently. "
        "If that was a mistake, enter the player again."
    ),
)
PLAYER_REMOVED_ALREADY = Refusal(
    "player-removed", _("The personal data of this player are already removed. Load the page again.")
)
LIST_IS_EMPTY = Refusal("list-is-empty", _("The list is empty. Paste names, or choose a file."))
LIST_DAMAGED = Refusal("seal-broken", _("The list was damaged during the upload. Choose it again."))
IMPORT_PREVIEW_OLD = Refusal(
    "preview-is-old",
    _("The entries have changed since this preview. Look at the list again, then import it."),
)
NOTHING_TO_IMPORT = Refusal(
    "nothing-to-import", _("There is nothing to import. The entries already match the list.")
)
NOBODY_TO_COPY = Refusal(
    "nobody-to-copy", _("Nobody was copied. Choose at least one player who is not entered yet.")
)
NOT_DRAWN_YET = Refusal("no-draw", _("There is no draw yet. Enter the player on the entry list."))
NO_ROUND_LEFT = Refusal(
    "no-round-left", _("The last round is paired, so a new player would not play. Offer a jackpot instead.")
)
ONE_LIFE_ONLY = Refusal(
    "no-lives", _("A player can start with a loss only in an event with two or more lives. Enter 0 losses.")
)
LOSSES_OUT_OF_RANGE = Refusal(
    "losses-out-of-range", _("With so many losses the player would be out. Enter 0 to {most} losses.")
)
NO_FREE_SEAT = Refusal(
    "no-free-seat",
    _(
        "No seat is free: every place is taken, or the next match after it has begun. "
        "Offer a jackpot instead."
    ),
)
SEAT_NOT_FREE = Refusal("seat-not-free", _("This seat is no longer free. Choose another one."))
TIMES_OUT_OF_RANGE = Refusal(
    "times-out-of-range", _("A player can re-enter 1 to {most} times. Enter a number in this range.")
)
ROUND_OUT_OF_RANGE = Refusal(
    "round-out-of-range", _("Re-entry cannot close with this round. Enter a round from 1 to {last}, or none.")
)
PRICE_OUT_OF_RANGE = Refusal(
    "price-out-of-range", _("This price is not possible. Enter a price from 0 to {most}.")
)
NO_REENTRY = Refusal("no-re-entry", _("This tournament has no re-entry. A director can change the terms."))
REENTERED_ALREADY = Refusal("entered-again", _("{name} has already re-entered. Load the page again."))
NO_REENTRY_LEFT = Refusal(
    "entered-often-enough", _("{name} has used all re-entries of the terms. A director can change the terms.")
)
REENTRY_CLOSED = Refusal(
    "re-entry-closed", _("Re-entry is closed, because round {round} has begun. Offer a jackpot instead.")
)
WITHDRAWN_NOT_OUT = Refusal(
    "not-out", _("{name} is withdrawn, not knocked out. Undo the withdrawal instead.")
)
NOT_OUT_TO_PLAY = Refusal(
    "not-out", _("{name} is not out: a match is still to be played. Wait for its result.")
)
NOT_OUT_LIVES = Refusal("not-out", _("{name} is not out: a life is left. Wait for the next round."))
NOT_OUT_NO_KNOCK_OUT = Refusal(
    "not-out",
    _("{name} is not out: the matches lost so far do not knock a player out. Wait for the next round."),
)
NOT_OUT_UNBEATEN = Refusal("not-out", _("{name} is not out: no match is lost. Wait for the next round."))
CHECK_IN_STAYS = Refusal("check-in-stays", _("This check-in can no longer be undone here. Tell the desk."))
BOTH_ENTERED = Refusal(
    "both-entered",
    _("Both players are in {tournament}. Remove one of the two entries first."),
)
BOTH_IN_BIN = Refusal(
    "both-in-bin",
    _(
        "Both players are in {tournament}, which is in the bin. Remove it there for good, or restore it and remove "
        "one of the two entries."
    ),
)
BOTH_AT_TABLES = Refusal("both-at-tables", _("{name} is at two tables now. End one of the calls first."))
MERGE_BIDDER = Refusal(
    "merged-player-bids", _("{name} takes part in an auction. Keep this player, and merge the other one.")
)
MERGE_EXCHANGED = Refusal(
    "merged-player-exchanged",
    _("{name} has payments in another currency. Keep this player, and merge the other one."),
)
MERGE_CHANGED = Refusal(
    "merge-changed", _("The amounts have changed. Check them again, then merge the players.")
)
NOT_TWO_PEOPLE = Refusal(
    "not-two-people", _("{name} plays in this tournament only. There is nothing to split off.")
)
