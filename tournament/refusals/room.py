"""Refusals of tables and calls."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

CALLED_ALREADY = Refusal(
    "called-already", _("This match is already called. Move it to another table instead.")
)
CALLED_MEANWHILE = Refusal("called-already", _("This match was called in the meantime. Load the page again."))
CALLED_MATCH_IS_OVER = Refusal(
    "match-is-over", _("This match is over: its result is posted. Load the page again.")
)
CALLED_MATCH_CANCELLED = Refusal("match-cancelled", _("This match is no longer played. Load the page again."))
TOURNAMENT_LEFT_ROOM = Refusal(
    "tournament-archived",
    _("This tournament is in the archive. Take it out of the archive, then call the match."),
)
RESULT_IS_REPORTED = Refusal(
    "result-is-in", _("A result is reported for this match. Confirm it at the desk.")
)
RESULT_IS_DISPUTED = Refusal("result-is-in", _("The desk is deciding this match. Make the ruling first."))
ALREADY_PLAYING = Refusal("they-play", _("The players are already playing. They need no second call."))
GAME_IS_WRITTEN = Refusal(
    "game-is-written", _("A game of this match is written, so it is being played. Take back the game first.")
)
MATCH_MOVED_AGAIN = Refusal(
    "moved-again",
    _(
        "This match was moved again in the meantime, so the earlier move cannot be undone. "
        "Move it to another table instead."
    ),
)
CALL_TAKEN_BACK = Refusal("call-taken-back", _("This call was taken back. Call the match again."))
TABLE_CLOSED = Refusal("table-closed", _("Table {name} is closed. Open it first, or choose another."))
TABLE_TAKEN = Refusal("table-taken", _("Table {name} has another match. Choose another table."))
TABLE_TAKEN_MEANWHILE = Refusal(
    "table-taken", _("This table was given to another match in the meantime. Choose another table.")
)
PLAYER_CALLED = Refusal(
    "player-at-table", _("{player} is already called to another match. Call a match of other players.")
)
PLAYER_AT_TABLE = Refusal(
    "player-at-table", _("{player} is already at table {name}. Call a match of other players.")
)
PLAYER_CALLED_MEANWHILE = Refusal(
    "player-at-table",
    _("A player of this match was called to another table in the meantime. Wait until that match is over."),
)
NONE_TO_CALL = Refusal(
    "nobody-to-call",
    _(
        "No match can be called now: no table is free, or the waiting players are still playing. "
        "Wait for the next result."
    ),
)
NO_MATCH_CHOSEN = Refusal("choose-a-match", _("No match is chosen. Choose a match first."))
NO_TABLES = Refusal("no-tables", _("This event has no tables yet. Add some first."))
NO_TABLE_NAMES = Refusal(
    "no-names", _("There are no names. Type the names of the tables, for example 1-24, Stream.")
)
TABLE_NAME_TOO_LONG = Refusal(
    "name-too-long", _("A table name has at most {most} letters. Choose a shorter name.")
)
ONE_TABLE_NAME = Refusal("one-name", _("A table has one name. Type a single name."))
TABLE_NAME_TAKEN = Refusal("name-taken", _("Table {name} already exists. Choose another name."))
TABLE_CHANGED_AGAIN = Refusal(
    "table-changed-again",
    _("Table {name} was changed again, so the earlier change cannot be undone. Change the table instead."),
)
TABLE_REMOVED_AGAIN = Refusal(
    "table-removed-again",
    _("Another table {name} was removed later. Undo that removal, or add the table again."),
)
TABLES_NOT_KNOWN = Refusal(
    "tables-not-known",
    _("The journal line has no ids of the tables, so it cannot be undone. Remove the tables instead."),
)
TOO_MANY_TABLES = Refusal("too-many-tables", _("A room has at most {most} tables. Remove some first."))
TABLE_WAS_USED = Refusal(
    "table-was-used", _("Matches were called to table {name}, so it cannot be removed. Close it instead.")
)
SECOND_CALL_OUT_OF_RANGE = Refusal(
    "minutes-out-of-range", _("This time to the second call is not possible. Enter 1 to {most} minutes.")
)
