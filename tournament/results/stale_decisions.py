"""Refuses decisions based on a result or draw that has changed, and names the user who changed it. Reads only."""

from django.db.models import Q

from matches.refusals import Refusal
from tournament.brackets.states import current_results
from tournament.models import Draw, JournalLine, Pairing, Result, ResultKind
from tournament.refusals.draws import DRAW_TAKEN_BACK, DRAWN_BY
from tournament.refusals.results import POSTED_BY, RESULT_CHANGED, RESULT_TAKEN_BACK
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import Refused

WORDS = {
    ResultKind.WALKOVER: "walkover",
    ResultKind.NO_SHOW: "no-show",
    ResultKind.DOUBLE_NO_SHOW: "double no-show",
    ResultKind.SETTLED: "settled",
    ResultKind.RETRACTED: "taken back",
}


def refuse_if_result_changed(
    pairing: Pairing, current: Result | None, expected: ExpectedResult | None
) -> None:
    """Raises Refused unless the current result is the expected one. None: no check."""
    in_force = None if current is None or current.kind == ResultKind.RETRACTED else current
    if expected is None or expected.result == (in_force.pk if in_force else None):
        return
    if in_force is None:
        raise Refused(RESULT_TAKEN_BACK)
    raise Refused(RESULT_CHANGED, **result_parameters(pairing, in_force))


def refuse_if_posted(pairing: Pairing) -> None:
    """Raises Refused if this pairing has a current result."""
    result = current_results([pairing.pk]).get(pairing.pk)
    if result is not None and result.kind != ResultKind.RETRACTED:
        raise posted_already(pairing, result)


def posted_already(pairing: Pairing, result: Result) -> Refused:
    """The refusal for a second result, with the posted score and the user who posted it."""
    return Refused(POSTED_BY, **result_parameters(pairing, result))


def result_parameters(pairing: Pairing, result: Result) -> dict[str, str]:
    """Names, score and user of a posted result, as parameters of a sentence."""
    points = None if result.left_points is None else f"{result.left_points}–{result.right_points}"
    return {
        "left": result.left.name,
        "right": result.right.name,
        "score": points or WORDS.get(ResultKind(result.kind), result.kind),
        "who": _last_actor_name(Q(subject="pairing", subject_id=str(pairing.pk))),
    }


def refuse_if_draw_changed(current: Draw | None, number: int | None, refusal: Refusal = DRAWN_BY) -> None:
    """Raises Refused unless the current draw has this number; None: there was none. `refusal` names another draw."""
    if number == (current.number if current else None):
        return
    if current is None:
        raise Refused(DRAW_TAKEN_BACK)
    raise Refused(
        refusal,
        number=current.number,
        who=_last_actor_name(Q(subject="draw", subject_id=str(current.pk), verb__in=["draw", "redraw"])),
    )


def _last_actor_name(about: Q) -> str:
    journal_line = (
        JournalLine.objects.filter(about).select_related("user", "entry__player").order_by("-pk").first()
    )
    if journal_line is not None and journal_line.user is not None:
        return journal_line.user.get_username()
    return (
        journal_line.entry.name
        if journal_line is not None and journal_line.entry is not None
        else "the program"
    )
