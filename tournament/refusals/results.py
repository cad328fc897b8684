"""Refusals of posted results and of awards."""

from django.utils.translation import gettext_noop

from matches.refusals import Refusal

NO_MATCH = Refusal(
    "no-match",
    gettext_noop("This match is not open yet. Wait until its players are known, then load the page again."),
)
MATCH_NEVER_OPENED = Refusal(
    "no-match",
    gettext_noop(
        "This match was never opened, so it has no score. Take the result back, then enter the score."
    ),
)
NOTHING_POSTED = Refusal(
    "nothing-posted", gettext_noop("No result is posted for this match. Load the page again.")
)
POSTED_BY = Refusal(
    "posted-already",
    gettext_noop(
        "{left} – {right}: {score}, posted by {who}. Nothing was changed. Open the match to correct it."
    ),
)
RESULT_CHANGED = Refusal(
    "result-changed",
    gettext_noop("{left} – {right}: {score}, posted by {who}. Look at the match, then decide again."),
)
RESULT_TAKEN_BACK = Refusal(
    "result-changed",
    gettext_noop("The result was taken back in the meantime. Look at the match, then decide again."),
)
PLAYERS_CHANGED = Refusal(
    "players-changed", gettext_noop("The players of this match have changed. Load the page again.")
)
PLAYERS_UNKNOWN = Refusal(
    "players-unknown",
    gettext_noop("The players of this match are not known yet. Wait for the earlier results."),
)
NEXT_MATCH_HAS_BEGUN = Refusal(
    "next-match-has-begun",
    gettext_noop(
        "A later match of these players has begun. "
        "Ask a director to correct this result and its consequences."
    ),
)
NEXT_ROUND_PAIRED = Refusal(
    "next-round-paired",
    gettext_noop(
        "Round {round} is already paired, so a player would have two open matches. "
        "Take round {round} back, or ask a director to correct this result and its consequences."
    ),
)
KIND_UNKNOWN = Refusal(
    "kind-unknown",
    gettext_noop(
        "This is not a result without play. Choose walkover, no-show, double no-show, lost by penalty "
        "points, lost on time or broken off."
    ),
)
WINNER_UNKNOWN = Refusal(
    "winner-unknown", gettext_noop("This result needs one winner. Choose one of the two players.")
)
NO_CLOCK = Refusal(
    "no-clock",
    gettext_noop("This match is played without clocks, so it cannot be lost on time. Choose another result."),
)
CLOCK_COSTS_POINTS = Refusal(
    "clock-costs-points",
    gettext_noop(
        "By these rules an expired clock does not lose the match. "
        "Enter the penalty points and let the players continue."
    ),
)
SCORE_NEEDED = Refusal(
    "score-needed", gettext_noop("The score is missing. Enter the points of both players.")
)
SCORE_OUT_OF_RANGE = Refusal(
    "score-out-of-range",
    gettext_noop("This score is impossible in a match to {length}. Enter the points when play ended."),
)
NO_SCORE = Refusal("no-score", gettext_noop("A match without play has no score. Leave the points out."))
POINTS_OUT_OF_RANGE = Refusal(
    "points-out-of-range",
    gettext_noop("These points are impossible. Enter the points of both players when play ended."),
)
