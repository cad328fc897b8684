"""Finds the match of the desk's quick form: by a few letters of a player's name, or by its number. Reads only."""

import re
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress

from matches.models import CardRow
from rules.score import Side
from tournament.queries.desk.desk import DeskLine, DeskPage
from tournament.refusals.desk import MATCH_NOT_FOUND, NONE_FOUND, SEVERAL_FOUND, SEVERAL_MATCHES
from tournament.results import posting, stale_decisions
from tournament.runtime.errors import Refused
from tournament.runtime.text import abbreviate, comparison_key

MatchAndSide = tuple[DeskLine, Side]
LABEL = re.compile(r"[A-Z]?[0-9]+(\.[0-9]+)?")


def find_match_to_enter(desk_data: DeskPage, typed: str, key: uuid.UUID) -> MatchAndSide:
    """Returns the open match that fits, or the match that has the row with this key already.

    Raises Refused like `find_match`, and with the posted result if only a decided match fits.
    """
    entered = CardRow.objects.filter(pk=key).values_list("card__match_id", flat=True).first()
    before = [line for line in desk_data.lines if entered is not None and line.pairing.match_id == entered]
    with suppress(Refused):
        return find_match(before, typed)
    try:
        return find_match(desk_data.open_lines, typed)
    except Refused:
        _refuse_posted(desk_data, typed)
        raise


def find_match(lines: Sequence[DeskLine], typed: str) -> MatchAndSide:
    """Returns the match and the side of the player. A number, “12” or “C12”, stands for the left player.

    Raises Refused if no player or several players fit.
    """
    label = typed.strip().upper()
    if LABEL.fullmatch(label):
        return _by_label(lines, label)
    return _only_candidate(list(_by_words(lines, typed)), typed)


def _refuse_posted(desk_data: DeskPage, typed: str) -> None:
    """Raises Refused with the posted result if the text fits only a match that is already decided."""
    decided = [line for line in desk_data.lines if line not in desk_data.open_lines]
    try:
        line, _side = find_match(decided, typed)
    except Refused:
        return
    stale_decisions.refuse_if_posted(posting.load_pairing(line.pairing.id))


def _by_label(lines: Iterable[DeskLine], label: str) -> MatchAndSide:
    matches = [line for line in lines if line.pairing.called == label]
    if not matches:
        raise Refused(MATCH_NOT_FOUND, number=label)
    if len(matches) > 1:
        names = ", ".join(line.tournament.name for line in matches)
        raise Refused(SEVERAL_MATCHES, number=label, names=names)
    return matches[0], Side.LEFT


def _by_words(lines: Iterable[DeskLine], typed: str) -> Iterable[MatchAndSide]:
    words = comparison_key(typed).split()
    for line in lines:
        for side, name in ((Side.LEFT, line.pairing.left.name), (Side.RIGHT, line.pairing.right.name)):
            if words and all(word in comparison_key(name) for word in words):
                yield line, side


def _only_candidate(fitting: list[MatchAndSide], typed: str) -> MatchAndSide:
    exact = [
        candidate for candidate in fitting if comparison_key(name_of(candidate)) == comparison_key(typed)
    ]
    candidates = exact or fitting
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise Refused(NONE_FOUND, typed=abbreviate(typed))
    names = ", ".join(name_of(candidate) for candidate in candidates[:4])
    raise Refused(SEVERAL_FOUND, names=names)


def name_of(match_and_side: MatchAndSide) -> str:
    line, side = match_and_side
    return line.pairing.left.name if side is Side.LEFT else line.pairing.right.name
