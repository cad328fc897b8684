"""The draw page: what a draw would look like, making it, releasing it, taking it back, lengths round by round."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament import access, drawing
from tournament.access import Capability
from tournament.models import Draw
from tournament.models.brackets import DrawMethod
from tournament.pages.director.doing import accepted, page, told
from tournament.pages.director.forms.draw import DrawForm, LengthForm, ReasonForm
from tournament.pages.director.place import TournamentPlace, at_tournament
from tournament.showing.bracket import RoundShown, bracket_shown
from tournament.showing.draws import DrawPreview, draw_preview, draws_of
from tournament.showing.round_words import round_title

METHOD_KEPT = "draw-method"


@page("GET", "POST")
def draw(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows everything about the draw; POST does what its button says."""
    place = at_tournament(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _shown(request, place)
    access.require(place.actor, place.event, Capability.DIRECT)
    match request.POST.get("do"):
        case "release":
            done = _("The draw is released: everybody sees it, and the first matches can be played.")
            told(request, lambda: drawing.release(place.tournament.pk, place.actor), done)
        case "undo":
            return _undo(request, place)
        case "length":
            return _change_length(request, place)
        case _:
            return _make(request, place)
    return redirect("draw", event, tournament)


def _make(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = _draw_form(request, draws_of(place.tournament))
    if accepted(form, lambda: drawing.make(place.tournament.pk, form.plan(), place.actor)) is None:
        return _shown(request, place, form=form)
    request.session[METHOD_KEPT] = form.cleaned_data["method"]
    messages.success(request, _("Drawn. Nobody but you sees it until you release it."))
    return redirect("draw", *place.slugs)


def _undo(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="undo")
    work = accepted(form, lambda: drawing.undo(place.tournament.pk, place.actor, form.cleaned_data["reason"]))
    if work is None:
        return _shown(request, place, undo_form=form)
    messages.success(request, _("The draw is taken back. The entry list is open again."))
    return redirect("draw", *place.slugs)


def _change_length(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = LengthForm(request.POST, prefix=f"round-{request.POST.get('which', '')}")
    work = accepted(
        form,
        lambda: drawing.change_round_length(
            form.cleaned_data["round"], place.tournament.pk, form.cleaned_data["length"], place.actor
        ),
    )
    if work is None:
        return _shown(request, place, length_form=form)
    messages.success(request, _("The match length is changed."))
    return redirect("draw", *place.slugs)


def _shown(request: HttpRequest, place: TournamentPlace, **bound: BaseForm) -> HttpResponse:
    """The page, with the form that something was wrong with in the place of an empty one."""
    draws = draws_of(place.tournament)
    current = _current(draws)
    rounds = bracket_shown(place.tournament).rounds if current else ()
    preview = draw_preview(place.tournament)
    wrong = next(iter(bound.values()), None)
    shown: dict[str, Any] = {
        "current": current,
        "draws": draws,
        "preview": preview,
        "preview_rounds": [(round_title(one.name), one) for one in preview.rounds],
        "rounds": _lengths(rounds, bound.get("length_form")),
        "first_round": rounds[0].pairings if rounds else (),
        "draw_form": bound.get("form") or _draw_form(request, draws, preview),
        "length_wrong": bound.get("length_form"),
        "undo_form": bound.get("undo_form") or ReasonForm(prefix="undo"),
        "has_begun": any(_has_begun(one) for one in rounds),
    }
    return place.shown(request, "draw.html", "draw", form=wrong, **shown)


def _draw_form(request: HttpRequest, draws: Sequence[Draw], preview: DrawPreview | None = None) -> DrawForm:
    current = _current(draws)
    usual = DrawMethod.SEEDED if preview is not None and preview.seeded else DrawMethod.RANDOM
    return DrawForm(
        request.POST if request.POST.get("do") == "draw" else None,
        initial={"method": request.session.get(METHOD_KEPT, usual)},
        is_redraw=current is not None,
        reason_needed=current is not None and current.is_released,
    )


def _current(draws: Sequence[Draw]) -> Draw | None:
    return next((one for one in draws if one.replaced_at is None), None)


def _lengths(rounds: Sequence[RoundShown], wrong: BaseForm | None) -> list[dict[str, Any]]:
    """Each round with the form of its length; none where a match has begun."""
    return [
        {
            "name": round_title(one.name),
            "shown": one,
            "form": None if _has_begun(one) else _length_form(one, wrong),
        }
        for one in rounds
    ]


def _length_form(shown: RoundShown, wrong: BaseForm | None) -> BaseForm:
    prefix = f"round-{shown.id}"
    if wrong is not None and wrong.prefix == prefix:
        return wrong
    return LengthForm(prefix=prefix, initial={"round": shown.id, "length": shown.length})


def _has_begun(shown: RoundShown) -> bool:
    quiet = ("waiting", "ready", "bye")
    return any(pairing.state not in quiet and pairing.how != "withdrawn" for pairing in shown.pairings)
