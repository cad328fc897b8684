"""One match at the desk: its cards side by side, and every action of the desk."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict

from matches.keepers import Keeper
from matches.models import CardRow, MatchState, RowKind
from rules.score import Side
from tournament.access.permissions import Capability
from tournament.models import Pairing
from tournament.pages.desk.desk import posted_message
from tournament.pages.desk.forms import (
    AwardForm,
    ConfirmForm,
    DeskRow,
    FinalForm,
    GameForm,
    PenaltyForm,
    RetractForm,
    StopForm,
    StrikeForm,
    row_values,
)
from tournament.pages.director.actions import page, redirect_back, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.pages.disputes.context import disputes_context, refused_ruling_form, ruling_form
from tournament.pages.records import records_context
from tournament.queries.corrections.preview import corrections_of, kept_names
from tournament.queries.desk.match import DeskCard, DeskMatchPage, load_desk_match
from tournament.queries.desk.match_call import load_match_call
from tournament.queries.records import load_records
from tournament.queries.room.lateness import lateness_of
from tournament.results import desk, disputes
from tournament.results.awards import ExpectedResult, may_be_lost_on_time
from tournament.runtime.errors import NotFound

ROWS = ("final", "game", "penalty", "stop")
# Fields of a new row that a link may fill in. The lateness hint links to a penalty with its points.
PROPOSED_FIELDS = ("against", "points", "penalty_kind", "reason")


@dataclass(frozen=True, slots=True)
class OpenForm:
    """`correcting` is the row that the form would supersede; `kind` names the form."""

    card: DeskCard
    kind: str
    form: DeskRow
    correcting: CardRow | None = None

    @property
    def is_result(self) -> bool:
        return self.kind == "final" and self.correcting is None


def row_form(
    kind: str, pairing: Pairing, data: QueryDict | None, initial: dict[str, Any] | None = None
) -> DeskRow:
    return FORMS[kind](pairing, data, initial or {})


def open_form(request: HttpRequest, match_page: DeskMatchPage, refused: OpenForm | None) -> OpenForm | None:
    """Returns the refused form if there is one, otherwise the form that the URL requests.

    None without cards, and for a posted result unless the URL requests a form: a result is corrected on its own page,
    also if it was posted while this final score was sent.
    """
    if not match_page.cards:
        return None
    is_too_late = match_page.result is not None and refused is not None and refused.is_result
    if refused is not None and not is_too_late:
        return refused
    if match_page.result is not None and not any(name in request.GET for name in ("card", "kind", "correct")):
        return None
    row_with_card = match_page.row(request.GET.get("correct", ""))
    if row_with_card is not None and row_with_card[1].kind != RowKind.STOP:
        card, row = row_with_card
        initial = {**_next_row_values(card), "supersedes": row.key, **row_values(row)}
        return OpenForm(card, row.kind, row_form(row.kind, match_page.pairing, None, initial), row)
    card = card_of(match_page, request.GET.get("card", ""))
    wanted_kind = request.GET.get("kind", "")
    kind = wanted_kind if wanted_kind in ROWS and (wanted_kind != "stop" or card.can_be_stopped) else ROWS[0]
    proposed = {name: request.GET[name] for name in PROPOSED_FIELDS if name in request.GET}
    return OpenForm(
        card, kind, row_form(kind, match_page.pairing, None, {**proposed, **_next_row_values(card)})
    )


def refused_form(match_page: DeskMatchPage, kind: str, sent: DeskRow, data: QueryDict) -> OpenForm:
    """Returns the sent form with its errors, a new key and the current last row of the card."""
    card = card_of(match_page, data.get("card", ""))
    row_with_card = match_page.row(data.get("supersedes", ""))
    data_again = data.copy()
    for name, value in _next_row_values(card).items():
        data_again[name] = str(value)
    form = row_form(kind, match_page.pairing, data_again)
    if form.is_valid():
        form.add_error(None, sent.non_field_errors())
    return OpenForm(card, kind, form, row_with_card[1] if row_with_card else None)


def strike_form(match_page: DeskMatchPage, key: str) -> tuple[DeskCard, CardRow, StrikeForm] | None:
    """Returns the card, the row to strike and its form; None for an unknown row."""
    row_with_card = match_page.row(key)
    if row_with_card is None:
        return None
    card, row = row_with_card
    return card, row, StrikeForm(initial={**_next_row_values(card), "supersedes": row.key})


def card_of(match_page: DeskMatchPage, keeper: str) -> DeskCard:
    """Returns the card of this keeper; the desk's card for any other text."""
    by_keeper = {card.keeper.value: card for card in match_page.cards}
    return by_keeper.get(keeper, by_keeper[Keeper.DESK.value])


def _next_row_values(card: DeskCard) -> dict[str, Any]:
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


class DeskAction(NamedTuple):
    """A sent form, its name on the page, and its work function."""

    name: str
    form: Any
    work: Callable[[], object]


@page("GET")
def desk_match(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    return _render(request, context, pairing_in(context, pairing), None)


@page("POST")
def desk_action(request: HttpRequest, event: str, tournament: str, pairing: int, action: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    current_pairing = pairing_in(context, pairing)
    if action not in ACTIONS:
        raise NotFound
    submitted = ACTIONS[action](request, context, current_pairing)
    # Read before the work, which loads the pairing again.
    was_posted_before = (
        action == "confirm"
        and current_pairing.match is not None
        and current_pairing.match.state == MatchState.POSTED
    )
    if submit(submitted.form, submitted.work) is None:
        return _render(request, context, current_pairing, submitted)
    messages.success(request, posted_message(current_pairing, by_whom=was_posted_before))
    return redirect_back(request, "desk-match", *context.slugs, pairing)


def _row(kind: str) -> Callable[[HttpRequest, TournamentContext, Pairing], DeskAction]:
    """Returns the action that writes a row of this kind on any card."""

    def action(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> DeskAction:
        form = row_form(kind, pairing, request.POST)
        return DeskAction(
            kind, form, lambda: desk.enter_at_desk(pairing, form.keeper, form.writing(), context.actor)
        )

    return action


def _confirm(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> DeskAction:
    form = ConfirmForm(request.POST)
    return DeskAction(
        "confirm_form",
        form,
        lambda: desk.confirm(pairing, Keeper.DESK, form.cleaned_data["tail"], context.actor),
    )


def _rule(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> DeskAction:
    form = ruling_form(load_desk_match(pairing), request.POST)
    return DeskAction("rule_form", form, lambda: disputes.rule(pairing, form.to_ruling(), context.actor))


def _award(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> DeskAction:
    form = AwardForm(request.POST, players=names_in(pairing))
    entries = {Side.LEFT: pairing.left_id, Side.RIGHT: pairing.right_id, None: None}
    return DeskAction(
        "award_form",
        form,
        lambda: desk.award(
            pairing,
            entries[form.winner],
            form.kind,
            form.cleaned_data["reason"],
            context.actor,
            form.points,
            expected=ExpectedResult(form.cleaned_data["seen"]),
        ),
    )


def _retract(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> DeskAction:
    form = RetractForm(request.POST, prefix="retract")
    return DeskAction(
        "retract_form",
        form,
        lambda: desk.retract(
            pairing, form.cleaned_data["reason"], context.actor, expected=form.expected_result()
        ),
    )


ACTIONS: Mapping[str, Callable[[HttpRequest, TournamentContext, Pairing], DeskAction]] = {
    "enter": _row("game"),
    "final": _row("final"),
    "penalty": _row("penalty"),
    "stop": _row("stop"),
    "strike": _row("strike"),
    "confirm": _confirm,
    "rule": _rule,
    "award": _award,
    "retract": _retract,
}


def _render(
    request: HttpRequest, context: TournamentContext, pairing: Pairing, refused: DeskAction | None
) -> HttpResponse:
    """Renders the current match. `refused` is a refused action; its form keeps the sent values."""
    match_page = load_desk_match(pairing_in(context, pairing.pk))
    forms: dict[str, BaseForm] = {
        "award_form": AwardForm(
            players=match_page.names,
            on_time=may_be_lost_on_time(match_page.pairing),
            initial=_proposed_values(request, "outcome"),
        ),
        "retract_form": RetractForm(prefix="retract"),
        "rule_form": ruling_form(match_page),
    }
    refused_open_form = None
    if refused is not None and refused.name in ROWS:
        refused_open_form = (
            refused_form(match_page, refused.name, refused.form, request.POST) if match_page.cards else None
        )
    elif refused is not None and refused.name == "rule_form":
        forms["rule_form"] = refused_ruling_form(match_page, refused.form, request.POST)
    elif refused is not None:
        forms[refused.name] = refused.form
    more: dict[str, Any] = {
        "match_page": match_page,
        "corrections": corrections_of(pairing),
        "kept_names": kept_names(pairing),
        "lateness": lateness_of(match_page.pairing, match_page.names),
        "match_call": load_match_call(match_page.pairing),
        "open_form": open_form(request, match_page, refused_open_form),
        "striking": strike_form(match_page, request.GET.get("strike", "")),
        **forms,
        **disputes_context(context, match_page),
    }
    if match_page.match is not None:
        more |= records_context(load_records(match_page.match))
    return context.render(request, "desk_match.html", "desk", form=refused.form if refused else None, **more)


def _proposed_values(request: HttpRequest, *names: str) -> dict[str, str]:
    """Returns the initial values of a form from the URL."""
    return {name: request.GET[name] for name in names if name in request.GET}
