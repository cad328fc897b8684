"""One match at the desk: its cards beside each other, and everything the desk may do to it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from matches.keepers import Keeper
from matches.models import MatchState
from rules.score import Side
from tournament.access.permissions import Capability
from tournament.models import Pairing
from tournament.pages.desk.forms import AwardForm, ConfirmForm, RetractForm
from tournament.pages.desk.posted import posted_message
from tournament.pages.desk.row_form import ROWS, pen_for, refused_pen, row_form, strike_form
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.pages.disputes.desk import disputes_context, ruling_form
from tournament.pages.records.desk import records_context
from tournament.queries.corrections.preview import corrections_of, kept_names
from tournament.queries.desk.match import load_desk_match
from tournament.queries.records import load_records
from tournament.queries.room.lateness import late_for
from tournament.results import desk, disputes
from tournament.results.awards import ExpectedResult, may_be_lost_on_time
from tournament.runtime.errors import NotFound


class Deed(NamedTuple):
    """A form that was sent, the name it has on the page, and the work it asks for."""

    name: str
    form: Any
    work: Callable[[], object]


@page("GET")
def desk_match(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    return _shown(request, context, pairing_in(context, pairing), None)


@page("POST")
def desk_action(request: HttpRequest, event: str, tournament: str, pairing: int, action: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    found = pairing_in(context, pairing)
    if action not in DEEDS:
        raise NotFound
    deed = DEEDS[action](request, context, found)
    if submit(deed.form, deed.work) is None:
        return _shown(request, context, found, deed)
    is_known = action == "confirm" and found.match is not None and found.match.state == MatchState.POSTED
    messages.success(request, posted_message(context, found.pk, by_whom=is_known))
    if request.POST.get("then") == "desk":
        return redirect("desk", *context.slugs)
    return redirect(reverse("desk-match", args=[*context.slugs, pairing]))


def _row(kind: str) -> Callable[[HttpRequest, TournamentContext, Pairing], Deed]:
    """Writing a row of this kind on any card."""

    def deed(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> Deed:
        form = row_form(kind, pairing, request.POST)
        return Deed(
            kind, form, lambda: desk.enter_at_desk(pairing, form.keeper, form.writing(), context.actor)
        )

    return deed


def _confirm(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> Deed:
    form = ConfirmForm(request.POST)
    return Deed(
        "confirm_form",
        form,
        lambda: desk.confirm(pairing, Keeper.DESK, form.cleaned_data["tail"], context.actor),
    )


def _rule(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> Deed:
    form = ruling_form(load_desk_match(pairing), request.POST)
    return Deed("rule_form", form, lambda: disputes.rule(pairing, form.said(), context.actor))


def _award(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> Deed:
    form = AwardForm(request.POST, players=names_in(pairing))
    entries = {Side.LEFT: pairing.left_id, Side.RIGHT: pairing.right_id, None: None}
    return Deed(
        "award_form",
        form,
        lambda: desk.award(
            pairing.pk,
            entries[form.winner],
            form.kind,
            form.cleaned_data["reason"],
            context.actor,
            form.points,
            expected=ExpectedResult(form.cleaned_data["seen"]),
        ),
    )


def _retract(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> Deed:
    form = RetractForm(request.POST, prefix="retract")
    return Deed(
        "retract_form",
        form,
        lambda: desk.retract(
            pairing.pk, form.cleaned_data["reason"], context.actor, expected=form.seen_result()
        ),
    )


DEEDS: Mapping[str, Callable[[HttpRequest, TournamentContext, Pairing], Deed]] = {
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


def _shown(
    request: HttpRequest, context: TournamentContext, pairing: Pairing, refused: Deed | None
) -> HttpResponse:
    """The page as the match is now; a deed that was refused stands there with its form as it was sent."""
    shown = load_desk_match(pairing_in(context, pairing.pk))
    forms: dict[str, BaseForm] = {
        "award_form": AwardForm(
            players=shown.names,
            on_time=may_be_lost_on_time(shown.pairing),
            initial=_asked(request, "outcome"),
        ),
        "retract_form": RetractForm(prefix="retract"),
        "rule_form": ruling_form(shown),
    }
    pen = None
    if refused is not None and refused.name in ROWS:
        pen = refused_pen(shown, refused.name, refused.form, request.POST) if shown.cards else None
    elif refused is not None:
        forms[refused.name] = refused.form
    more: dict[str, Any] = {
        "shown": shown,
        "corrections": corrections_of(pairing),
        "kept_here": kept_names(pairing),
        "late": late_for(shown.pairing, shown.names),
        "pen": pen_for(request, shown, pen),
        "striking": strike_form(shown, request.GET.get("strike", "")),
        **forms,
        **disputes_context(context, shown),
    }
    if shown.match is not None:
        more |= records_context(load_records(shown.match))
    return context.render(request, "desk_match.html", "desk", form=refused.form if refused else None, **more)


def _asked(request: HttpRequest, *names: str) -> dict[str, str]:
    """What the address proposes for a form."""
    return {name: request.GET[name] for name in names if name in request.GET}
