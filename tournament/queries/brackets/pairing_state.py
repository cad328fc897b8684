"""The state of a pairing as a code: the same for brackets, desk and phones. Pure."""

from matches.models import MatchState
from tournament.models import ResultKind
from tournament.models.brackets import Settled

OVER = ("decided", "bye")


def pairing_state(settled: str, match_state: str | None, *, is_posted: bool, has_begun: bool) -> str:
    """Returns waiting, ready, playing, reported, disputed, decided or bye; `match_state` is None if no match is
    open.
    """
    if settled == Settled.BYE:
        return "bye"
    if settled or is_posted:
        return "decided"
    if match_state is None:
        return "waiting"
    if match_state in (MatchState.REPORTED, MatchState.DISPUTED):
        return str(match_state)
    return "playing" if has_begun else "ready"


def decided_how(settled: str, kind: str | None) -> str:
    """Returns walkover, no_show, double_no_show or withdrawn; `kind` is the kind of the result."""
    if kind is not None:
        return "" if kind == ResultKind.PLAYED else str(kind)
    return "withdrawn" if settled == Settled.WALKOVER else ""
