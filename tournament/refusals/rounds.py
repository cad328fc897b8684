"""Refusals of rounds that are paired, changed or taken back."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

ROUND_IS_OPEN = Refusal(
    "round-is-open", _("Round {number} has {waiting} matches without a result. Enter them first.")
)
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
    _("Since a correction a player without lives is still playing. Wait for the result of that match."),
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
