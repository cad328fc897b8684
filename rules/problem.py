"""A problem: its sentence, its place and an offer to solve it.

The English template and the values are separate, so that a front door can translate the template.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from rules.sentences import SENTENCES, Severity
from rules.translation import gettext_noop as _


class Offer(StrEnum):
    """A solution that the rules have for an error."""

    ANNUL = "annul"
    RESUME_OR_DIRECTOR = "resume_or_director"
    RESUME_MATCH = "resume_match"
    FIRST_TO_POSTED = "first_to_posted"


OFFERS: Mapping[str, str] = MappingProxyType(
    {
        Offer.ANNUL: _("Annul the double: score the game with the cube at {legal_cube}."),
        Offer.RESUME_OR_DIRECTOR: _("Resume the game, or let the director decide."),
        Offer.RESUME_MATCH: _("Resume the match and play on to {posted}."),
        Offer.FIRST_TO_POSTED: _("The player who was first to reach {posted} points has won the match."),
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """`game` and `move` count from 1, `line` is the line of a file; each is None where it does not apply.

    `position` is the Position ID of the board as `side` sees it, the player who acted ("left" or "right").
    """

    severity: str
    code: str
    rule: str
    template: str
    params: Mapping[str, Any] = field(default_factory=dict)
    game: int | None = None
    offer: str | None = None
    move: int | None = None
    line: int | None = None
    position: str | None = None
    side: str | None = None

    @property
    def place(self) -> tuple[int | None, int | None, str | None]:
        """Identifies one action of a record: its game, its row and the player who acted."""
        return self.game, self.move, self.side

    @property
    def sentence(self) -> str:
        return self.template.format_map(self.params)

    @property
    def offer_sentence(self) -> str:
        return OFFERS[self.offer].format_map(self.params) if self.offer else ""

    @property
    def is_error(self) -> bool:
        return self.severity == Severity.ERROR


class RuleBroken(Exception):
    """The first rule that an action breaks."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def problem(code: str, *, game: int | None = None, offer: str | None = None, **params: Any) -> Problem:
    """The problem of this code; `params` fill its sentence and the sentence of its offer."""
    severity, rule, template = SENTENCES[code]
    return Problem(severity, code, rule, template, params, game, offer)
