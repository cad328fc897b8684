"""How far a session of stake play is, in words. Words only."""

from django.utils.translation import gettext as _

from rules.score import Score


def session_words(score: Score) -> str:
    """“Game 3 of 5”; empty for a match to a length and for a session that is over."""
    if score.length is not None or score.is_over:
        return ""
    if score.agreed is None:
        return _("Game {number}").format(number=score.games + 1)
    if score.games < score.agreed:
        return _("Game {number} of {games}").format(number=score.games + 1, games=score.agreed)
    return _("Level after game {number}: one more game decides").format(number=score.games)
