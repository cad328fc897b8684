"""What the desk writes with: on which card, as what kind of row, correcting which one. Reads forms; writes nothing."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict

from matches.keepers import Keeper
from matches.models import CardRow, RowKind
from tournament.models import Pairing
from tournament.pages.desk.forms import (
    DeskRow,
    FinalForm,
    GameForm,
    PenaltyForm,
    StopForm,
    StrikeForm,
    said_by,
)
from tournament.pages.director.pairing import names_in
from tournament.queries.desk.match import DeskCard, DeskMatchPage

ROWS = ("final", "game", "penalty", "stop")
# What the address may propose for a new row: the ladder for being late does.
PROPOSED = ("against", "points", "penalty_kind", "reason")


@dataclass(frozen=True, slots=True)
class Pen:
    """`correcting` is the row that the form would supersede; `kind` names the form."""

    card: DeskCard
    kind: str
    form: DeskRow
    correcting: CardRow | None = None


def row_form(
    kind: str, pairing: Pairing, data: QueryDict | None, initial: dict[str, Any] | None = None
) -> DeskRow:
    """The form of this kind of row for the two players of the pairing."""
    return FORMS[kind](pairing, data, initial or {})


def pen_for(request: HttpRequest, shown: DeskMatchPage, refused: Pen | None) -> Pen | None:
    """The form that the page opens with: the one that was refused, else what the address asks for."""
    if not shown.cards:
        return None
    if refused is not None:
        return refused
    found = shown.row(request.GET.get("correct", ""))
    if found is not None and found[1].kind != RowKind.STOP:
        card, row = found
        initial = {**_next_row(card), "supersedes": row.key, **said_by(row)}
        return Pen(card, row.kind, row_form(row.kind, shown.pairing, None, initial), row)
    card = card_of(shown, request.GET.get("card", ""))
    asked = request.GET.get("kind", "")
    kind = asked if asked in ROWS and (asked != "stop" or card.can_be_stopped) else ROWS[0]
    proposed = {name: request.GET[name] for name in PROPOSED if name in request.GET}
    return Pen(card, kind, row_form(kind, shown.pairing, None, {**proposed, **_next_row(card)}))


def refused_pen(shown: DeskMatchPage, kind: str, sent: DeskRow, data: QueryDict) -> Pen:
    """What was sent once more, with what was wrong, to be written after what stands on the card now."""
    card = card_of(shown, data.get("card", ""))
    found = shown.row(data.get("supersedes", ""))
    again = data.copy()
    for name, value in _next_row(card).items():
        again[name] = str(value)
    form = row_form(kind, shown.pairing, again)
    if form.is_valid():
        form.add_error(None, sent.non_field_errors())
    return Pen(card, kind, form, found[1] if found else None)


def strike_form(shown: DeskMatchPage, key: str) -> tuple[DeskCard, CardRow, StrikeForm] | None:
    """The row to be struck, and the form that does it."""
    found = shown.row(key)
    if found is None:
        return None
    card, row = found
    return card, row, StrikeForm(initial={**_next_row(card), "supersedes": row.key})


def card_of(shown: DeskMatchPage, keeper: str) -> DeskCard:
    """The card of this keeper; the desk's own for any other word."""
    by_keeper = {card.keeper.value: card for card in shown.cards}
    return by_keeper.get(keeper, by_keeper[Keeper.DESK.value])


def _next_row(card: DeskCard) -> dict[str, Any]:
    return {"card": card.keeper.value, "key": uuid.uuid4(), "predecessor": card.tail}


def _ruleset(pairing: Pairing) -> dict[str, Any]:
    return dict(pairing.match.ruleset) if pairing.match else {}


FORMS: Mapping[str, Callable[[Pairing, QueryDict | None, dict[str, Any]], DeskRow]] = {
    "game": lambda pairing, data, initial: GameForm(
        data, initial=initial, players=names_in(pairing), ruleset=_ruleset(pairing)
    ),
    "final": lambda pairing, data, initial: FinalForm(data, initial=initial, players=names_in(pairing)),
    "penalty": lambda pairing, data, initial: PenaltyForm(data, initial=initial, players=names_in(pairing)),
    "stop": lambda _pairing, data, initial: StopForm(data, initial=initial),
    "strike": lambda _pairing, data, initial: StrikeForm(data, initial=initial),
}
