"""What two players agreed on in a match, by the lines of the transfers that it moved. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournament.models import Entry, Settlement, Tournament
from tournament.money.hedged_prizes import HEDGE, hedges_of_lines
from tournament.queries.brackets.bracket_context import load_numbers

SETTLEMENT = "settlement "
AGREEMENTS = (SETTLEMENT, HEDGE)


@dataclass(frozen=True, slots=True)
class Opponent:
    player: uuid.UUID
    name: str


@dataclass(frozen=True, slots=True)
class AgreedMatch:
    """`number` is the one that people know of the match, empty if it has none. `opponents` are by player."""

    number: str = ""
    opponents: Mapping[uuid.UUID, Opponent] = field(default_factory=dict)

    def name_for(self, player: uuid.UUID | None) -> str:
        """The name of the opponent of this player; empty if it is unknown."""
        opponent = self.opponents.get(player) if player else None
        return opponent.name if opponent else ""


def agreed_matches(lines: Iterable[str]) -> Mapping[str, AgreedMatch]:
    """The match and its two players, by line of a settlement or hedge. Other lines are left out."""
    pairings = {line: pairing_of(line) for line in lines if line.startswith(AGREEMENTS)}
    if not pairings:
        return {}
    tournaments = Tournament.objects.filter(brackets__rounds__pairings__in=pairings.values()).distinct()
    numbers = load_numbers(*tournaments)
    hedges = hedges_of_lines(pairings)
    settled = _opponents_in_settlements({pk for line, pk in pairings.items() if line.startswith(SETTLEMENT)})
    return {
        line: AgreedMatch(
            numbers[pk].called if pk in numbers else "",
            _opponents(hedges[line].left, hedges[line].right) if line in hedges else settled.get(pk, {}),
        )
        for line, pk in pairings.items()
    }


def pairing_of(line: str) -> int:
    return int(line.split(" ")[1])


def _opponents_in_settlements(pairings: Iterable[int]) -> dict[int, dict[uuid.UUID, Opponent]]:
    """A match can have been settled by other players before; each of them keeps the own opponent."""
    rows = Settlement.objects.filter(pairing__in=pairings, result__isnull=False).order_by("proposed_at")
    opponents: dict[int, dict[uuid.UUID, Opponent]] = {}
    for row in rows.select_related("left__player", "right__player"):
        opponents.setdefault(row.pairing_id, {}).update(_opponents(row.left, row.right))
    return opponents


def _opponents(left: Entry, right: Entry) -> dict[uuid.UUID, Opponent]:
    return {
        left.player_id: Opponent(right.player_id, right.name),
        right.player_id: Opponent(left.player_id, left.name),
    }


def agreement_label(line: str, other: str, number: str) -> str:
    """“settlement with Ben, match 7”, “hedge with Ben, match 7”. Names only what is known."""
    is_hedge = line.startswith(HEDGE)
    with_name = _("hedge with {name}") if is_hedge else _("settlement with {name}")
    agreement = with_name.format(name=other) if other else (_("hedge") if is_hedge else _("settlement"))
    return f"{agreement}, {_('match {number}').format(number=number)}" if number else agreement
