"""Finds the match of the desk's quick form: by a few letters of a player's name, or by its number. Reads only."""

import re
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from matches.models import CardRow
from rules.score import Side
from tournament.queries.brackets.bracket_view import SeatView
from tournament.queries.desk.desk import DeskLine, DeskPage
from tournament.refusals.desk import MATCH_NOT_FOUND, NONE_FOUND, SEVERAL_FOUND
from tournament.results import posting, stale_decisions
from tournament.runtime.errors import Refused
from tournament.runtime.text import abbreviate, comparison_key

LABEL = re.compile(r"[A-Z]?[0-9]+(\.[0-9]+)?")


class Candidate(NamedTuple):
    """A match and the side whose points are typed first."""

    line: DeskLine
    side: Side

    @property
    def own(self) -> SeatView:
        return self.line.pairing.left if self.side is Side.LEFT else self.line.pairing.right

    @property
    def opponent(self) -> SeatView:
        return self.line.pairing.right if self.side is Side.LEFT else self.line.pairing.left

    @property
    def key(self) -> str:
        """Identifies the match and its players in order, so that a redraw makes an old key invalid."""
        return f"{self.line.pairing.id}:{self.own.entry_id}:{self.opponent.entry_id}"


class SeveralFit(Exception):
    """The typed text does not decide between these candidates. The desk must choose one."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        super().__init__(len(candidates))
        self.candidates = candidates


def find_match_to_enter(desk_data: DeskPage, typed: str, chosen: str, key: uuid.UUID) -> Candidate:
    """Returns the open match that fits, or the match that has the row with this key already.

    `chosen` is the key of a candidate, or empty. Raises SeveralFit without a decision, Refused like `find_matches`,
    and Refused with the posted result if only a decided match fits.
    """
    entered = CardRow.objects.filter(pk=key).values_list("card__match_id", flat=True).first()
    before = [line for line in desk_data.lines if entered is not None and line.pairing.match_id == entered]
    with suppress(Refused, SeveralFit):
        return _decide(find_matches(before, typed), chosen)
    try:
        return _decide(find_matches(desk_data.open_lines, typed), chosen)
    except (Refused, SeveralFit) as undecided:
        if chosen or isinstance(undecided, Refused):
            _refuse_posted(desk_data, typed, chosen)
        raise


def find_matches(lines: Sequence[DeskLine], typed: str) -> list[Candidate]:
    """Returns the candidates of one player, or both sides of the matches with a number such as “12” or “C12”.

    Raises Refused if nothing or several players fit.
    """
    label = typed.strip().upper()
    if not LABEL.fullmatch(label):
        return _by_words(lines, typed)
    candidates = list_candidates(line for line in lines if line.pairing.called == label)
    if not candidates:
        raise Refused(MATCH_NOT_FOUND, number=label)
    return candidates


def list_candidates(lines: Iterable[DeskLine]) -> list[Candidate]:
    """Returns both sides of each match, left first."""
    return [Candidate(line, side) for line in lines for side in (Side.LEFT, Side.RIGHT)]


def _decide(candidates: Sequence[Candidate], chosen: str) -> Candidate:
    fitting = [candidate for candidate in candidates if chosen in ("", candidate.key)]
    if len(fitting) != 1:
        raise SeveralFit(candidates)
    return fitting[0]


def _refuse_posted(desk_data: DeskPage, typed: str, chosen: str) -> None:
    """Raises Refused with the posted result if the text and the choice fit only one match that is decided."""
    decided = [line for line in desk_data.lines if line not in desk_data.open_lines]
    try:
        candidates = find_matches(decided, typed)
    except Refused:
        return
    pairings = {row.line.pairing.id for row in candidates if chosen in ("", row.key)}
    if len(pairings) == 1:
        stale_decisions.refuse_if_posted(posting.load_pairing(pairings.pop()))


def _by_words(lines: Iterable[DeskLine], typed: str) -> list[Candidate]:
    words = comparison_key(typed).split()
    fitting = [
        row
        for row in list_candidates(lines)
        if words and all(word in comparison_key(row.own.name) for word in words)
    ]
    exact = [row for row in fitting if comparison_key(row.own.name) == comparison_key(typed)]
    names = list(dict.fromkeys(row.own.name for row in exact or fitting))
    if not names:
        raise Refused(NONE_FOUND, typed=abbreviate(typed))
    if len(names) > 1:
        raise Refused(SEVERAL_FOUND, names=", ".join(names[:4]))
    return exact or fitting
