"""Problems of a play."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence, error
from rules.translation import gettext_noop as _

BOARD: Mapping[str, Sentence] = MappingProxyType(
    {
        "no_checker_there": error("MOVE-1", _("{move} moves a checker that is not there.")),
        "moves_backwards": error("MOVE-1", _("{move} moves backwards.")),
        "bar_first": error(
            "BAR-1", _("{move} was played with a checker on the bar, which has to enter first.")
        ),
        "blocked_point": error("MOVE-2", _("{move} lands on a blocked point.")),
        "other_dice": error("MOVE-2", _("{move} cannot be played with a roll of {dice}.")),
        "too_many_moves": error("MOVE-3", _("More moves were made than a roll of {dice} allows.")),
        "not_all_home": error(
            "OFF-1", _("{move} bears off, but not every checker of that side is in its home board.")
        ),
        "higher_checker_first": error(
            "OFF-3", _("{move} bears off with a {die}, but there is a checker on a higher point.")
        ),
        "hit_checker_first": error("OFF-7", _("{move} was played before the hit checker was home again.")),
        "more_dice_playable": error(
            "DICE-1", _("{played} of the dice were played, but {most} can be: {example}, for example.")
        ),
        "larger_die_playable": error(
            "DICE-2", _("Only one die can be played, and it must be the {die}: {example}, for example.")
        ),
        "larger_die_at_least": error(
            "DICE-3", _("A player who plays only one die must play the {die}: {example}, for example.")
        ),
        "passed_with_a_legal_play": error(
            "DICE-4", _("The turn was passed, but there is a legal play: {example}, for example.")
        ),
    }
)
