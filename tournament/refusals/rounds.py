"""Refusals of rounds that are paired, changed or taken back."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

ROUND_IS_OPEN = Refusal(
    "round-is-open", _("Round {number} has {waiting} matches without a result. Enter them first.")
)
ROUND_IS_PAIRED = Refusal(
    "round-is-paired", _("Round {number} is paired and not released. Release it, or discard it first.")
)
ROUND_WAS_PAIRED = Refusal(
    "round-was-paired", _("Round {number} is paired already. To hide it again, undo its release.")
)
NOT_AUTOMATIC = Refusal(
    "not-automatic", _("This tournament does not pair its rounds automatically. Pair the round by a tap.")
)
ROUND_NOT_DUE = Refusal("round-not-due", _("The round is not due yet. Wait, or pair it by a tap."))
NO_PREVIEW = Refusal("no-round-preview", _("No paired round waits for its release. Load the page again."))
PREVIEW_OUTDATED = Refusal(
    "round-preview-outdated",
    _("Results, entries or rules changed since round {number} was paired. Pair it again, then release it."),
)
ROUND_PREVIEW_CHANGED = Refusal(
    "round-preview-changed",
    _(
        "The pairs of this round were changed meanwhile. Load them again, check them, then repeat your change."
    ),
)
NOT_IN_PREVIEW = Refusal(
    "not-in-round", _("One of these players is not in this round. Choose two players of the list.")
)
TWO_PLAYERS_NEEDED = Refusal("two-players-needed", _("The same player is chosen twice. Choose two players."))
ALREADY_OPPONENTS = Refusal(
    "already-opponents", _("These two play each other. Choose players of two different matches.")
)
HAND_REASON_NEEDED = Refusal(
    "reason-needed", _("A change by hand needs a reason. Write one; it is shown with the draw.")
)
NO_SWAP_TO_UNDO = Refusal("no-swap", _("No swap is left to undo. Load the page again."))
PAIR_SET_ALREADY = Refusal(
    "pair-is-set",
    _("One of these players is already paired by hand in round {number}. Remove that pair first."),
)
PAIR_KEPT_APART = Refusal(
    "pair-is-apart", _("These two players are kept apart. Remove that rule, then pair them by hand.")
)
PAIR_IS_SET = Refusal(
    "pair-set-by-hand", _("These two players are paired by hand. Remove that pair, then keep them apart.")
)
PLAYER_NOT_IN = Refusal(
    "player-not-in", _("One of these players is not in the tournament. Choose two players of the list.")
)
NO_SUCH_PAIR_RULE = Refusal("no-such-rule", _("This rule was removed before. Load the page again."))
NOT_RELEASED_FOR_ROUND = Refusal(
    "not-released", _("The draw is not released. Release it, and play its first round first.")
)
ALL_ROUNDS_PLAYED = Refusal("all-rounds-played", _("All {rounds} rounds are played. See the standings."))
TOURNAMENT_OVER = Refusal("event-over", _("The tournament is over. See the standings."))
RESULTS_ARRIVING = Refusal(
    "changed-meanwhile", _("Results are arriving at this moment. Pair the round again.")
)
NONE_TO_PAIR = Refusal("nobody-to-pair", _("No two players can be paired now. Wait for the next result."))
STILL_PLAYING_WITHOUT_LIFE = Refusal(
    "out-but-playing",
    _("After a correction, a player without lives is still playing. Wait for the result of that match."),
)
NO_LIVES = Refusal(
    "no-lives",
    _("Only an event with lives pairs players while others play. Wait until the round is complete."),
)
NO_ROUNDS_TO_PAIR = Refusal(
    "no-rounds", _("This format has no rounds to pair. Its draw contains all matches.")
)
ROUNDS_BELONG_TO_DRAW = Refusal(
    "no-rounds", _("All rounds of this format belong to the draw. Take the draw back instead.")
)
NO_ROUND_TO_TAKE_BACK = Refusal(
    "no-round", _("There is no round to take back. Round 1 belongs to the draw: take the draw back instead.")
)
ROUND_IS_NOT_LAST = Refusal(
    "round-is-not-last",
    _("Round {number} is the last round now, and only the last one can be undone. Load the page again."),
)
NO_SUCH_ROUND = Refusal("no-such-round", _("This round is not in the current draw. Load the page again."))
ROUND_REASON_NEEDED = Refusal(
    "reason-needed", _("Taking back a round needs a reason. Write one; it is kept in the journal.")
)
ROUND_HAS_BEGUN = Refusal(
    "round-has-begun",
    _(
        "A match of this round has begun, so its length and clock cannot change. "
        "Change a later round instead."
    ),
)
ROUND_IN_PLAY = Refusal(
    "round-has-begun",
    _("A match of this round has begun, so the round cannot be taken back. Correct single results instead."),
)
