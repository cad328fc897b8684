"""Chooses the part of a bracket that a page shows: a tree if it fits, otherwise pages of a list, or a name search.

Pure: runs no queries.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.pages.brackets.tree_layout import Column, list_columns, tree_columns
from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView
from tournament.runtime.name_search import has_words, split_words
from tournament.web.lists import LONGEST_NAME

WIDEST_TREE = 64
WIDEST_ON_THE_WALL = 16
MOST_ON_THE_WALL = 40


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """The options in the URL of a bracket page."""

    round: int | None = None
    part: int | None = None
    find: str = ""
    is_wall: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A range of lines of a wide round."""

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
    searched_name: str = ""

    @property
    def is_whole(self) -> bool:
        """True if every round is on the page, so that a tab loads nothing."""
        return len(self.rounds) == len(self.tabs)

    @property
    def columns(self) -> list[Column]:
        return tree_columns(self.rounds) if self.is_tree else list_columns(self.rounds)

    @property
    def widest(self) -> int:
        return max((len(row.pairings) for row in self.rounds), default=0)


def sheet_window(bracket: BracketView) -> Window:
    """All rounds of a tree that are not too wide for the sheet."""
    fitting = tuple(row for row in bracket.rounds if len(row.pairings) <= WIDEST_TREE)
    return Window(fitting, bracket.current_round, is_tree=True)


def window_on(bracket: BracketView, options: ViewOptions) -> Window:
    """The window on a bracket, which must have rounds."""
    if bracket.is_table:
        return _record_window(bracket, options)
    if options.is_wall:
        return _wall_window(bracket)
    if options.find.strip():
        return _name_window(bracket, options.find.strip()[:LONGEST_NAME])
    fitting = tuple(row for row in bracket.rounds if len(row.pairings) <= WIDEST_TREE)
    numbers = {row.number for row in bracket.rounds}
    current = (
        options.round if options.round is not None and options.round in numbers else bracket.current_round
    )
    if any(row.number == current for row in fitting):
        return Window(fitting, current, is_tree=True, tabs=bracket.rounds)
    wide = next(row for row in bracket.rounds if row.number == current)
    return _part_window(bracket, wide, options.part)


def _record_window(bracket: BracketView, options: ViewOptions) -> Window:
    """One round of a bracket ranked by records, in parts if it is wide, or all pairings of a name."""
    if options.find.strip() and not options.is_wall:
        return _name_window(bracket, options.find.strip()[:LONGEST_NAME])
    requested = next(
        (row for row in bracket.rounds if row.number == options.round and not options.is_wall), None
    )
    current = requested or next(row for row in bracket.rounds if row.number == bracket.current_round)
    if options.is_wall:
        undecided = tuple(pairing for pairing in current.pairings if _is_open(pairing))
        rounds = (replace(current, pairings=(undecided or current.pairings)[:MOST_ON_THE_WALL]),)
        return Window(rounds, current.number, is_tree=False)
    if len(current.pairings) > WIDEST_TREE:
        return _part_window(bracket, current, options.part)
    return Window((current,), current.number, is_tree=False, tabs=bracket.rounds)


def _part_window(bracket: BracketView, wide: RoundView, wanted: int | None) -> Window:
    """One part of a round that is too wide for a tree: the requested part, or the first with an undecided pairing."""
    slices = [wide.pairings[at : at + WIDEST_TREE] for at in range(0, len(wide.pairings), WIDEST_TREE)]
    chosen = wanted if wanted is not None and 1 <= wanted <= len(slices) else _first_undecided(slices)
    parts = tuple(
        Part(number, pairings[0].line, pairings[-1].line) for number, pairings in enumerate(slices, start=1)
    )
    rounds = (replace(wide, pairings=slices[chosen - 1]),)
    return Window(rounds, wide.number, is_tree=False, tabs=bracket.rounds, parts=parts, part=chosen)


def _first_undecided(slices: Sequence[Sequence[PairingView]]) -> int:
    undecided = (
        number
        for number, pairings in enumerate(slices, start=1)
        if any(_is_open(pairing) for pairing in pairings)
    )
    return next(undecided, 1)


def _name_window(bracket: BracketView, name: str) -> Window:
    """Every pairing with an entry of this name, by round."""
    wanted = split_words(name)
    rounds = [
        replace(row, pairings=tuple(_pairings_of_name(row.pairings, wanted))[:WIDEST_TREE])
        for row in bracket.rounds
    ]
    matching = tuple(row for row in rounds if row.pairings)
    return Window(matching, bracket.current_round, is_tree=False, tabs=bracket.rounds, searched_name=name)


def _pairings_of_name(pairings: Iterable[PairingView], wanted: Sequence[str]) -> Iterable[PairingView]:
    for pairing in pairings:
        if any(has_words(seat.name, wanted) for seat in (pairing.left, pairing.right)):
            yield pairing


def _wall_window(bracket: BracketView) -> Window:
    """The current round and the following ones, few enough to be readable from a distance."""
    current = max(1, min(bracket.current_round, len(bracket.rounds) - 1))
    coming = tuple(row for row in bracket.rounds if row.number >= current)
    if len(coming[0].pairings) <= WIDEST_ON_THE_WALL:
        return Window(coming, current, is_tree=True)
    undecided = tuple(pairing for pairing in coming[0].pairings if _is_open(pairing))
    return Window((replace(coming[0], pairings=undecided[:MOST_ON_THE_WALL]),), current, is_tree=False)


def _is_open(pairing: PairingView) -> bool:
    return pairing.state not in ("decided", "bye")
