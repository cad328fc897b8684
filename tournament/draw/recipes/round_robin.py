"""Round robins, truncated round robins, and groups with a play-off.

Pairings of a group feed nothing. The places of groups feed the seats of the play-off. Groups are ranked by `standings`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.translation import gettext_noop
from tournament.draw.graph import FromBye, FromEntry, FromPlace, Graph, GraphError, Pairing, Source
from tournament.draw.recipes.knockout import FEWEST, MOST, Spot, knockout_rounds, seed_lines
from tournament.draw.recipes.play_off_seats import play_off_positions

FEWEST_IN_A_GROUP, MOST_IN_A_GROUP = 2, 64
FEWEST_GROUPS, MOST_GROUPS = 2, 64
MOST_MEETINGS = 2

PLAY_OFF = "play-off"


def round_robin(
    entries: int, rounds: int | None = None, meetings: int = 1, bracket: str = "main"
) -> Graph[Spot, int]:
    """Returns a graph in which each pair of positions meets `meetings` times, or only its first `rounds` rounds.

    Position 1 meets the others from the last to position 2. If the number is odd, each sits out once in every cycle, in
    a pairing with a bye that is the last of its round. Raises GraphError for impossible numbers.
    """
    positions = range(1, entries + 1)
    return Graph(_group(positions, number_of_rounds(entries, rounds, meetings), bracket))


def groups_then_play_off(
    entries: int, groups: int, through: int, rounds: int | None = None, meetings: int = 1
) -> Graph[Spot, int]:
    """Returns brackets "group 1", "group 2" …, and a knock-out "play-off" of the first `through` of each group.

    Positions are dealt out in a snake: 1 to `groups`, then back. In the play-off entries of one group meet as late as
    possible. Winners of groups get the byes first, then the seconds. `rounds` is at most the number of the largest
    group. Raises GraphError for impossible numbers.
    """
    members = deal_into_groups(entries, groups)
    if not 1 <= through <= min(len(positions) for positions in members):
        raise GraphError(
            gettext_noop("{through} cannot qualify from groups of {size}."),
            through=through,
            size=entries // groups,
        )
    longest = number_of_rounds(max(len(positions) for positions in members), rounds, meetings)
    pairings = [
        pairing
        for number, positions in enumerate(members, 1)
        for pairing in _group(
            positions, min(longest, number_of_rounds(len(positions), None, meetings)), group_name(number)
        )
    ]
    return Graph([*pairings, *knockout_rounds(PLAY_OFF, play_off_sources(groups, through))])


def group_name(number: int) -> str:
    """Returns the bracket of a group, by its number from 1."""
    return f"group {number}"


def deal_into_groups(entries: int, groups: int) -> list[list[int]]:
    """Returns the positions of each group: 1 2 3 go to groups 1 2 3, then 4 5 6 to groups 3 2 1."""
    if not FEWEST_GROUPS <= groups <= MOST_GROUPS:
        raise GraphError(
            gettext_noop("There are {fewest} to {most} groups, not {groups:,}."),
            fewest=FEWEST_GROUPS,
            most=MOST_GROUPS,
            groups=groups,
        )
    if not FEWEST_IN_A_GROUP * groups <= entries <= min(MOST, MOST_IN_A_GROUP * groups):
        raise GraphError(
            gettext_noop("A group has {fewest} to {most} entries; {entries:,} do not make {groups} groups."),
            fewest=FEWEST_IN_A_GROUP,
            most=MOST_IN_A_GROUP,
            entries=entries,
            groups=groups,
        )
    members: list[list[int]] = [[] for _ in range(groups)]
    for index in range(entries):
        row, column = divmod(index, groups)
        members[column if row % 2 == 0 else groups - 1 - column].append(index + 1)
    return members


def play_off_sources(groups: int, through: int) -> list[Source[Spot, int]]:
    """Returns the sources of the play-off's lines from the top: places of groups, and byes up to a power of two."""
    if not FEWEST <= groups * through <= MOST:
        raise GraphError(
            gettext_noop("A play-off has {fewest} to {most:,} places, not {places:,}."),
            fewest=FEWEST,
            most=MOST,
            places=groups * through,
        )
    seats = {
        position: FromPlace(group_name(group), place)
        for group, positions in enumerate(play_off_positions(groups, through), 1)
        for place, position in enumerate(positions, 1)
    }
    lines = seed_lines((len(seats) - 1).bit_length())
    return [seats.get(position, FromBye()) for position in lines]


def number_of_rounds(entries: int, rounds: int | None, meetings: int) -> int:
    """Returns the number of rounds of a round robin, at most `rounds`. Raises GraphError for impossible numbers."""
    if not FEWEST_IN_A_GROUP <= entries <= MOST_IN_A_GROUP:
        raise GraphError(
            gettext_noop("A round robin has {fewest} to {most} entries, not {entries:,}."),
            fewest=FEWEST_IN_A_GROUP,
            most=MOST_IN_A_GROUP,
            entries=entries,
        )
    if not 1 <= meetings <= MOST_MEETINGS:
        raise GraphError(
            gettext_noop("In a round robin each pair meets once or twice, not {meetings:,} times."),
            meetings=meetings,
        )
    most = meetings * _rounds_in_a_cycle(entries)
    if rounds is not None and not 1 <= rounds <= most:
        raise GraphError(
            gettext_noop("A round robin of {entries} entries has 1 to {most} rounds, not {rounds:,}."),
            entries=entries,
            most=most,
            rounds=rounds,
        )
    return most if rounds is None else rounds


def _rounds_in_a_cycle(entries: int) -> int:
    return entries - 1 + entries % 2


def _group(positions: Sequence[int], rounds: int, bracket: str) -> list[Pairing[Spot, int]]:
    cycle = _rounds_in_a_cycle(len(positions))
    pairings: list[Pairing[Spot, int]] = []
    for number in range(rounds):
        meetings = sorted(_round(positions, number % cycle), key=_has_a_bye)
        for line, (left, right) in enumerate(meetings, 1):
            spot = (bracket, number + 1, line)
            sides = (left, right) if number < cycle or _has_a_bye((left, right)) else (right, left)
            pairings.append(Pairing(spot, *spot, *sides))
    return pairings


def _round(positions: Sequence[int], number: int) -> list[tuple[Source[Spot, int], Source[Spot, int]]]:
    """Rotates all but the first seat by one each round (circle method), with a bye if the number is odd."""
    seats: list[Source[Spot, int]] = [FromEntry(position) for position in positions]
    if len(seats) % 2:
        seats.append(FromBye())
    ring = seats[1:]
    rotated = [seats[0], *ring[len(ring) - number :], *ring[: len(ring) - number]]
    return [
        (right, left) if isinstance(left, FromBye) else (left, right)
        for left, right in zip(rotated[: len(rotated) // 2], reversed(rotated), strict=False)
    ]


def _has_a_bye(meeting: tuple[Source[Spot, int], Source[Spot, int]]) -> bool:
    return isinstance(meeting[1], FromBye)
