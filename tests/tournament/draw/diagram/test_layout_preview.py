"""Layout previews: every bracket with its rounds, labels and seat origins."""

from tournament.draw.diagram.layout_preview import SeatOrigin, SeatPreview, pairing_label, preview_brackets
from tournament.draw.graph import FromEntry, FromPlace, Graph, Pairing
from tournament.draw.recipes import single_elimination
from tournament.draw.recipes.drops import (
    DOUBLE_ELIMINATION_WITH_RESET,
    PROGRESSIVE_CONSOLATION,
    knockout,
)


def test_brackets_come_in_the_order_in_which_they_begin() -> None:
    shown = preview_brackets(knockout(16, DOUBLE_ELIMINATION_WITH_RESET))
    assert [bracket.bracket for bracket in shown] == ["main", "lower", "final"]
    assert [len(bracket.diagram.boxes) for bracket in shown] == [15, 14, 2]


def test_every_pairing_has_its_label_and_every_round_its_slot() -> None:
    main, consolation = preview_brackets(knockout(32, PROGRESSIVE_CONSOLATION))
    assert [round_.slot for round_ in main.rounds] == [1, 2, 3, 4, 5]
    assert [round_.slot for round_ in consolation.rounds] == [2, 3, 4, 5, 6, 7]
    assert [pairing.label for pairing in main.rounds[2].pairings] == ["C1", "C2", "C3", "C4"]


def test_a_consolation_seat_names_the_pairing_of_its_loser() -> None:
    main, consolation = preview_brackets(knockout(8, PROGRESSIVE_CONSOLATION))
    first = consolation.rounds[0].pairings
    assert {seat.label for pairing in first for seat in (pairing.left, pairing.right)} == {
        "A1",
        "A2",
        "A3",
        "A4",
    }
    assert first[0].left.origin is SeatOrigin.LOSER
    assert first[0].left.bracket == "main"
    assert main.rounds[1].pairings[0].left == SeatPreview(SeatOrigin.WINNER, bracket="main", label="A1")


def test_entries_and_byes_are_distinguished() -> None:
    (main,) = preview_brackets(single_elimination(3))
    assert main.rounds[0].pairings[0].left == SeatPreview(SeatOrigin.ENTRY, entry=1)
    assert main.rounds[0].pairings[0].right == SeatPreview(SeatOrigin.BYE)


def test_a_second_final_is_fed_by_a_first_loss() -> None:
    final = preview_brackets(knockout(4, DOUBLE_ELIMINATION_WITH_RESET))[-1]
    assert final.rounds[1].pairings[0].right == SeatPreview(
        SeatOrigin.FIRST_LOSS, bracket="final", label="A1"
    )


def test_a_seat_that_a_group_fills_names_group_and_place() -> None:
    graph: Graph[str, str] = Graph(
        [
            Pairing("group match", "group 1", 1, 1, FromEntry("ada"), FromEntry("bo")),
            Pairing("final", "play-off", 1, 1, FromPlace("group 1", 1), FromPlace("group 1", 2)),
        ]
    )
    seats = preview_brackets(graph)[-1].rounds[0].pairings[0]
    assert seats.left == SeatPreview(SeatOrigin.PLACE, bracket="group 1", place=1)


def test_labels_continue_after_z() -> None:
    pairing = Pairing("late", "swiss", 27, 3, FromEntry("ada"), FromEntry("bo"))
    assert pairing_label(pairing) == "AA3"
