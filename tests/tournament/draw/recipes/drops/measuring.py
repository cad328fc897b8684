"""The measure of a whole draw, computed from its graph alone."""

from tournament.draw.graph import Graph
from tournament.draw.graph.match_plan import match_slots, plan_matches
from tournament.draw.recipes.drops.measure import (
    ROUND_OF_PLAY,
    SECOND_BYE,
    TWO_ROUNDS_CREDIT,
    wait_weight,
)
from tournament.draw.recipes.drops.report import report_on
from tournament.draw.recipes.knockout import Spot


def waits(graph: Graph[Spot, int]) -> list[tuple[int, int]]:
    """For each player of each match the slot of the match before and the slots sat out since.

    The unbeaten finalist of a double elimination is left out: no layout can spare that wait.
    """
    played = plan_matches(graph)
    slots = match_slots(graph, played)
    return [
        (slots[before], slots[after] - slots[before] - 1)
        for (before, _), after in played.next_match.items()
        if (before[0], after[0]) != ("main", "final")
    ]


def measure(graph: Graph[Spot, int]) -> float:
    report = report_on(graph)
    return (
        report.expected_rematches
        + SECOND_BYE * report.double_byes
        + ROUND_OF_PLAY * report.rounds
        + TWO_ROUNDS_CREDIT * report.two_rounds_credit
        + sum(wait_weight(last, rounds) for last, rounds in waits(graph))
    )
