"""Refusals of posted results and of awards."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

NO_MATCH = Refusal(
    "no-match", _("This match is not open yet. Wait until its players are known, then load the page again.")
)
MATCH_NEVER_OPENED = Refusal(
    "no-match",
    _("This match was never opened, so it has no score. Take the result back, then enter the score."),
)
NOTHING_POSTED = Refusal("nothing-posted", _("No result is posted for this match. Load the page again."))
POSTED_BY = Refusal(
    "posted-already",
    _("{left} – {right}: {score}, posted by {who}. Nothing was changed. If it is wrong, correct the result."),
)
RESULT_CHANGED = Refusal(
    "result-changed", _("{left} – {right}: {score}, posted by {who}. Look at the match, then decide again.")
)
RESULT_TAKEN_BACK = Refusal(
    "result-changed", _("The result was taken back in the meantime. Look at the match, then decide again.")
)
PLAYERS_CHANGED = Refusal(
    "players-changed", _("The players of this match have changed. Load the page again.")
)
PLAYERS_UNKNOWN = Refusal(
    "players-unknown", _("The players of this match are not known yet. Wait for the earlier results.")
)
NEXT_MATCH_HAS_BEGUN = Refusal(
    "next-match-has-begun",
    _(
        "A later match of these players has begun. "
        "Ask a director to correct this result and its consequences."
    ),
)
NEXT_ROUND_PAIRED = Refusal(
    "next-round-paired",
    _(
        "Round {round} is already paired, so a player would have two open matches. "
        "Take round {round} back, or ask a director to correct this result and its consequences."
    ),
)
KIND_UNKNOWN = Refusal(
    "kind-unknown",
    _(
        "This is not a result without play. Choose walkover, no-show, double no-show, lost by "
        "penalty points, lost on time or abandoned."
    ),
)
WINNER_UNKNOWN = Refusal("winner-unknown", _("This result needs one winner. Choose one of the two players."))
NO_CLOCK = Refusal(
    "no-clock", _("This match is played without clocks, so it cannot be lost on time. Choose another result.")
)
CLOCK_COSTS_POINTS = Refusal(
    "clock-costs-points",
    _(
        "By these rules an expired clock does not lose the match. "
        "Enter the penalty points and let the players continue."
    ),
)
SCORE_NEEDED = Refusal("score-needed", _("The score is missing. Enter the points of both players."))
SCORE_OUT_OF_RANGE = Refusal(
    "score-out-of-range",
    _("This score is impossible in a match to {length}. Enter the points when play ended."),
)
NO_SCORE = Refusal("no-score", _("A match without play has no score. Leave the points out."))
POINTS_OUT_OF_RANGE = Refusal(
    "points-out-of-range", _("These points are impossible. Enter the points of both players when play ended.")
)
NO_PROPOSAL = Refusal(
    "no-proposal", _("This proposal to settle is no longer open. Load the page again and look at the match.")
)
ACCEPTANCE_FINAL = Refusal(
    "acceptance-final", _("This settlement can no longer be undone here. Ask the desk to correct the result.")
)
OWN_PROPOSAL = Refusal(
    "own-proposal", _("This is your own proposal. Your opponent accepts it on their own phone.")
)
SETTLEMENT_SUM = Refusal(
    "settlement-sum", _("Both amounts together must be {total}. Change one of the two amounts.")
)
SETTLEMENT_PROMISED = Refusal(
    "settlement-promised",
    _("{name} gives {amount} of it away by an earlier settlement. Leave {name} at least this amount."),
)
NO_HEDGE = Refusal("no-hedge", _("This hedge is no longer open. Load the page again and look at the match."))
HEDGE_AGREED = Refusal(
    "hedge-agreed", _("You have agreed on a hedge already. Cancel it together, then propose another one.")
)
NOTHING_TO_HEDGE = Refusal(
    "nothing-to-hedge", _("This match decides no prize yet. Play it, or ask the desk for the prizes.")
)
HEDGE_EMPTY = Refusal(
    "hedge-empty", _("No amount is entered. Enter one for at least one of the two players.")
)
HEDGE_ABOVE_PRIZE = Refusal(
    "hedge-above-prize",
    _("{name} can give at most {amount} after winning this match. Enter at most this amount."),
)
HEDGE_OUTDATED = Refusal(
    "hedge-outdated", _("The prizes have changed since this hedge was proposed. Propose another one.")
)
SETTLEMENT_OUTDATED = Refusal(
    "settlement-outdated", _("The prizes have changed since this was proposed. Propose to settle again.")
)
