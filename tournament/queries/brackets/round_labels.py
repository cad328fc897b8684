"""What rounds are called, on pages and in files."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from tournament.draw.recipes import RoundName
from tournament.queries.brackets.labels import MAIN, bracket_title
from tournament.queries.brackets.round_names import BRACKET_FINAL, PLAIN, SECOND_FINAL

ROUNDS: Mapping[RoundName, Promise] = {
    RoundName.FINAL: _("Final"),
    RoundName.SEMIFINALS: _("Semifinals"),
    RoundName.QUARTERFINALS: _("Quarterfinals"),
    RoundName.ROUND_OF_16: _("Round of 16"),
    RoundName.ROUND_OF_32: _("Round of 32"),
    RoundName.ROUND_OF_64: _("Round of 64"),
    RoundName.ROUND_OF_128: _("Round of 128"),
    RoundName.ROUND_OF_256: _("Round of 256"),
    RoundName.ROUND_OF_512: _("Round of 512"),
    RoundName.ROUND_OF_1024: _("Round of 1024"),
}
OTHERS: Mapping[str, Promise] = {SECOND_FINAL: _("Second final"), BRACKET_FINAL: _("Bracket final")}
OF_ONE_MATCH = ("third place",)
OF_ALL = (MAIN, "final")


def round_title(code: str) -> str:
    """“Semifinals”, “Round 3”."""
    if code in OTHERS:
        return str(OTHERS[code])
    if code in ROUNDS:
        return str(ROUNDS[RoundName(code)])
    return now("Round {number}").format(number=code.removeprefix(PLAIN))


def round_title_in(code: str, bracket: str) -> str:
    """The same where brackets stand beside each other: “Consolation · Round 3”."""
    if bracket in OF_ALL:
        return round_title(code)
    if bracket in OF_ONE_MATCH:
        return bracket_title(bracket)
    return f"{bracket_title(bracket)} · {round_title(code)}"
