"""Which part of a bracket a page shows: a tree where it fits, else a list of pairings in parts, or those of a name.

Pure: chooses among what is there and asks nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView
from tournament.runtime.name_search import has_words, split_words
from tournament.web.lists import LONGEST_NAME

WIDEST_TREE = 64
WIDEST_ON_THE_WALL = 16
MOST_ON_THE_WALL = 40


@dataclass(frozen=True, slots=True)
class Wish:
    """What the address asks for; nothing is asked by default."""

    round: int | None = None
    part: int | None = None
    find: str = ""
    is_wall: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Some consecutive lines of a wide round."""

    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Window:
    """The rounds on the page, as a tree or a list. `tabs` lead to other rounds, `parts` to other lines of this one."""

    rounds: tuple[RoundView, ...]
    current: int
    is_tree: bool
    tabs: tuple[RoundView, ...] = ()
    parts: tuple[Part, ...] = ()
    part: int = 1
    found: str = ""

    @property
    def is_whole(self) -> bool:
        """Every round is on the page, so that a tab need not load another."""
        return len(self.rounds) == len(self.tabs)

    @property
    def columns(self) -> list[tuple[RoundView, bool, str]]:
        """Each round, whether its neighbours in pairs meet in the next, so that lines can join them, and where they do
        not the path of the lines that lead on from it."""
        following = (*self.rounds[1:], None)
        pairs = zip(self.rounds, following, strict=False)  # no rounds at all where no name fits
        return [_joined(one, after.pairings if after else ()) for one, after in pairs]

    @property
    def widest(self) -> int:
        return max((len(one.pairings) for one in self.rounds), default=0)


def _joined(one: RoundView, after: Sequence[PairingView]) -> tuple[RoundView, bool, str]:
    places = {pairing.id: place for place, pairing in enumerate(after)}
    ways = [
        (place, places[pairing.onward])
        for place, pairing in enumerate(one.pairings)
        if pairing.onward in places
    ]
    if len(one.pairings) == 2 * len(after) and all(then == place // 2 for place, then in ways):
        return one, True, ""
    heights = [(_middle(place, len(one.pairings)), _middle(then, len(after))) for place, then in ways]
    return one, False, _path(heights)


def _middle(place: int, size: int) -> int:
    """The height of a pairing in a round of this size, of 1000 in all."""
    return round((place + 0.5) * 1000 / size)


def _path(heights: Sequence[tuple[int, int]]) -> str:
    """Lines from the heights on the left to those on the right, 60 wide. Those that lead to different pairings and
    would run over each other turn in lanes of their own."""
    spans: dict[int, tuple[int, int]] = {}
    for here, there in heights:
        low, high = spans.get(there, (there, there))
        spans[there] = min(low, here), max(high, here)
    lanes: list[int] = []
    lane_of = {}
    for there, (low, high) in sorted(spans.items(), key=lambda span: span[1]):
        lane = next((number for number, end in enumerate(lanes) if end < low), len(lanes))
        lanes[lane : lane + 1] = [high]
        lane_of[there] = lane
    return "".join(
        f"M0 {here}H{60 * (lane_of[there] + 1) // (len(lanes) + 1)}V{there}H60" for here, there in heights
    )


def window_on(shown: BracketView, wish: Wish) -> Window:
    """What the page shows of a bracket that has rounds."""
    if shown.is_table:
        return _of_a_table(shown, wish)
    if wish.is_wall:
        return _on_the_wall(shown)
    if wish.find.strip():
        return _of_a_name(shown, wish.find.strip()[:LONGEST_NAME])
    fitting = tuple(one for one in shown.rounds if len(one.pairings) <= WIDEST_TREE)
    numbers = {one.number for one in shown.rounds}
    current = wish.round if wish.round is not None and wish.round in numbers else shown.current_round
    if any(one.number == current for one in fitting):
        return Window(fitting, current, is_tree=True, tabs=shown.rounds)
    wide = next(one for one in shown.rounds if one.number == current)
    return _one_part(shown, wide, wish.part)


def _of_a_table(shown: BracketView, wish: Wish) -> Window:
    """One round of a bracket ranked by records, in parts where it is wide; every match of a name."""
    if wish.find.strip() and not wish.is_wall:
        return _of_a_name(shown, wish.find.strip()[:LONGEST_NAME])
    asked = next((one for one in shown.rounds if one.number == wish.round and not wish.is_wall), None)
    current = asked or next(one for one in shown.rounds if one.number == shown.current_round)
    if wish.is_wall:
        undecided = tuple(pairing for pairing in current.pairings if _is_open(pairing))
        rounds = (replace(current, pairings=(undecided or current.pairings)[:MOST_ON_THE_WALL]),)
        return Window(rounds, current.number, is_tree=False)
    if len(current.pairings) > WIDEST_TREE:
        return _one_part(shown, current, wish.part)
    return Window((current,), current.number, is_tree=False, tabs=shown.rounds)


def _one_part(shown: BracketView, wide: RoundView, wanted: int | None) -> Window:
    """One part of a round too wide for a tree: the one asked for, or the first in which something is undecided."""
    slices = [wide.pairings[at : at + WIDEST_TREE] for at in range(0, len(wide.pairings), WIDEST_TREE)]
    chosen = wanted if wanted is not None and 1 <= wanted <= len(slices) else _first_undecided(slices)
    parts = tuple(Part(number, one[0].line, one[-1].line) for number, one in enumerate(slices, start=1))
    rounds = (replace(wide, pairings=slices[chosen - 1]),)
    return Window(rounds, wide.number, is_tree=False, tabs=shown.rounds, parts=parts, part=chosen)


def _first_undecided(slices: Sequence[Sequence[PairingView]]) -> int:
    undecided = (
        number for number, one in enumerate(slices, start=1) if any(_is_open(pairing) for pairing in one)
    )
    return next(undecided, 1)


def _of_a_name(shown: BracketView, name: str) -> Window:
    """Every pairing in which somebody of this name sits, round by round."""
    wanted = split_words(name)
    rounds = [
        replace(one, pairings=tuple(_named(one.pairings, wanted))[:WIDEST_TREE]) for one in shown.rounds
    ]
    kept = tuple(one for one in rounds if one.pairings)
    return Window(kept, shown.current_round, is_tree=False, tabs=shown.rounds, found=name)


def _named(pairings: Iterable[PairingView], wanted: Sequence[str]) -> Iterable[PairingView]:
    for pairing in pairings:
        if any(has_words(seat.name, wanted) for seat in (pairing.left, pairing.right)):
            yield pairing


def _on_the_wall(shown: BracketView) -> Window:
    """What is played now and what it leads to, large enough to be read from afar."""
    current = max(1, min(shown.current_round, len(shown.rounds) - 1))
    coming = tuple(one for one in shown.rounds if one.number >= current)
    if len(coming[0].pairings) <= WIDEST_ON_THE_WALL:
        return Window(coming, current, is_tree=True)
    undecided = tuple(pairing for pairing in coming[0].pairings if _is_open(pairing))
    return Window((replace(coming[0], pairings=undecided[:MOST_ON_THE_WALL]),), current, is_tree=False)


def _is_open(pairing: PairingView) -> bool:
    return pairing.state not in ("decided", "bye")
