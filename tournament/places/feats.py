"""Entries with achievements that are paid beside places. Pure."""

import uuid
from collections.abc import Mapping

from tournament.brackets.ranking import PairingRow
from tournament.draw.seating import How, State
from tournament.places.families import RANKED_TOGETHER

Rows = Mapping[int, PairingRow]
States = Mapping[int, State[uuid.UUID]]
THREE = 3


def unbeaten(rows: Rows, states: States) -> uuid.UUID | None:
    """Returns the entry that reaches the final of a double elimination without a loss; None until it does."""
    main = [key for key in states if rows[key].bracket == RANKED_TOGETHER[0]]
    last = max(main, key=lambda key: rows[key].round, default=None)
    winner = states[last].result.winner if last is not None else None
    return winner if isinstance(winner, uuid.UUID) else None


def pair_of_three(rows: Rows, states: States) -> frozenset[uuid.UUID]:
    """Returns the two who play in the first round of three entries, of which one has a bye."""
    by_round: dict[int, list[State[uuid.UUID]]] = {}
    for key, state in states.items():
        by_round.setdefault(rows[key].round, []).append(state)
    for _, drawn in sorted(by_round.items()):
        seated = [[seat for seat in (s.left, s.right) if isinstance(seat, uuid.UUID)] for s in drawn]
        has_bye = any(state.result.how is How.BYE for state in drawn)
        if has_bye and sum(map(len, seated)) == THREE:
            return frozenset(entry for pair in seated if len(pair) > 1 for entry in pair)
    return frozenset()
