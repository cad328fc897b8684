"""Refusals of the desk's quick form and of stopped sessions."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

MATCH_NOT_FOUND = Refusal(
    "no-such-match", _("Match {number} is not open. Search for the players' names instead.")
)
SEVERAL_FOUND = Refusal("several-found", _("Several players fit: {names}. Type more of the name."))
NO_REPORT_SELECTED = Refusal(
    "no-report-selected", _("No reported match is selected. Select at least one, then confirm again.")
)
NONE_FOUND = Refusal(
    "nobody-found", _("No player with “{typed}” in the name has an open match. Check the spelling.")
)
DESK_CARD_BEGUN = Refusal(
    "desk-card-begun", _("The desk already has a card of this match. Open the match and continue there.")
)
NO_TIME_TO_STOP = Refusal(
    "no-time-to-stop",
    _("This round has no time limit, so its sessions cannot be stopped. Enter the results one by one."),
)
