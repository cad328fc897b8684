"""The draw page as it stands: what will be drawn, what is drawn, and the forms of everything that can be done."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournament.draw.formats import Format
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import commitments
from tournament.models import Draw, Entry, Tournament
from tournament.models.brackets import DrawMethod
from tournament.pages.director.context import TournamentContext
from tournament.pages.draws.forms import DrawForm, ReasonForm, SeedingForm
from tournament.pages.draws.public_draw_forms import ClosingForm, DiceForm
from tournament.pages.tournaments.length_forms import LengthForm, length_initial
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import BracketView, RoundView
from tournament.queries.brackets.labels import bracket_title, round_title, round_title_in, short_length
from tournament.queries.draws.preview import DrawPreview, draw_preview, list_draws
from tournament.queries.draws.prospect_labels import format_summary, layout_notes
from tournament.queries.draws.sketches import bracket_sketches
from tournament.queries.events.overview import entries_of
from tournament.queries.rounds import paired_round
from tournament.web.refusals import sentence_of

GROUP = "group "


def shown(request: HttpRequest, context: TournamentContext, **bound: BaseForm) -> HttpResponse:
    """The page, with the form that something was wrong with in the place of an empty one."""
    draws = list_draws(context.tournament)
    current = current_of(draws)
    made: dict[str, Any] = _made(context, bound) if current else _ahead(context)
    wrong = next(iter(bound.values()), None)
    told: dict[str, Any] = {
        "current": current,
        "draws": draws,
        "waiting": commitments.open_commitment(context.tournament),
        **made,
        **_forms(request, context, draws),
        **bound,
    }
    return context.render(request, "draw.html", "draw", form=wrong, wrong=set(bound), **told)


def draw_form(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> DrawForm:
    current = current_of(draws)
    return DrawForm(
        request.POST if request.POST.get("do") == "draw" else None,
        initial={"method": _method(context)},
        is_redraw=current is not None,
        reason_needed=current is not None and (current.is_released or bool(current.secret)),
        names=_names(context.tournament),
    )


def closing_form(request: HttpRequest, context: TournamentContext) -> ClosingForm:
    """How the draw by secret and dice will be made."""
    return ClosingForm(
        request.POST if request.POST.get("do") == "close" else None,
        initial={"method": _method(context)},
        names=_names(context.tournament),
        auto_id="close_%s",
    )


def dice_form(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> DiceForm:
    waiting = commitments.open_commitment(context.tournament)
    return DiceForm(
        request.POST if request.POST.get("do") == "dice" else None,
        expected=(commitments.public_chance(waiting.rules) if waiting else None) or PublicChance(),
        is_redraw=bool(draws),
        auto_id="dice_%s",
    )


def current_of(draws: Sequence[Draw]) -> Draw | None:
    return next((one for one in draws if one.replaced_at is None), None)


def _forms(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> dict[str, BaseForm]:
    return {
        "draw_form": draw_form(request, context, draws),
        "closing_form": closing_form(request, context),
        "dice_form": dice_form(request, context, draws),
        "reopen_form": ReasonForm(prefix="reopen"),
        "seeding_form": SeedingForm(),
        "undo_form": ReasonForm(prefix="undo"),
        "give_up_form": ReasonForm(prefix="give-up"),
        "take_back_form": ReasonForm(prefix="take-back"),
    }


def _method(context: TournamentContext) -> str:
    """As this tournament was drawn last; otherwise seeded where somebody has a seed."""
    if not entries_of(context.tournament).seeded:
        return DrawMethod.RANDOM
    last = context.tournament.draws.order_by("-number").first()
    return last.method if last else DrawMethod.SEEDED


def _names(tournament: Tournament) -> list[tuple[str, str]]:
    """The entries for whom a bye can be asked; nobody where the format has none."""
    if not Format.from_json(tournament.format).has_sheet:
        return []
    rows = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).select_related("player")
    return [(str(entry.pk), entry.name) for entry in rows.order_by("player__name", "number")]


def _ahead(context: TournamentContext) -> dict[str, Any]:
    """What will be drawn."""
    preview = draw_preview(context.tournament)
    ahead = preview.estimate
    return {
        "preview": preview,
        "preview_rounds": [(_round_words(preview, one), one) for one in preview.rounds],
        "said_first": format_summary(preview.format),
        "findings": layout_notes(ahead.report) if ahead and ahead.report else [],
        "sketches": bracket_sketches(ahead.previews) if ahead else [],
    }


def _round_words(preview: DrawPreview, one: Any) -> str:
    brackets = {other.bracket for other in preview.rounds}
    if len(brackets) == 1:
        return round_title(one.name)
    if one.bracket == "group":
        return _("Groups · {round}").format(round=round_title(one.name))
    return round_title_in(one.name, one.bracket)


def _made(context: TournamentContext, bound: Mapping[str, BaseForm]) -> dict[str, Any]:
    """What is drawn."""
    brackets = bracket_views(context.tournament)
    paired = paired_round(context.tournament)
    return {
        "rounds": _lengths(brackets, bound.get("length_form")),
        "has_more_brackets": len(brackets) > 1,
        "first_rounds": [] if paired else _first_rounds(brackets),
        "has_begun": any(_has_begun(one) for bracket in brackets for one in bracket.rounds),
        "paired": paired,
        "why_not": sentence_of(paired.refused) if paired and paired.refused else "",
        "length_wrong": bound.get("length_form"),
    }


def _first_rounds(brackets: Sequence[BracketView]) -> list[dict[str, Any]]:
    """The first round of the bracket drawn first, and of every group."""
    return [
        {"title": bracket_title(one.key) if one.key != "main" else "", "pairings": one.rounds[0].pairings}
        for place, one in enumerate(brackets)
        if place == 0 or one.is_table
    ]


def _lengths(brackets: Sequence[BracketView], wrong: BaseForm | None) -> list[dict[str, Any]]:
    """Each round of the bracket drawn first with the form of its length; none where a match has begun.

    A round of groups stands for that round of all groups.
    """
    if not brackets:
        return []
    groups = [one for one in brackets if one.key.startswith(GROUP)] or [brackets[0]]
    longest = max(groups, key=lambda one: len(one.rounds))
    return [_length_line(row, groups, wrong) for row in longest.rounds]


def _length_line(row: RoundView, groups: Sequence[BracketView], wrong: BaseForm | None) -> dict[str, Any]:
    same = [one for group in groups for one in group.rounds if one.number == row.number]
    title = round_title(row.name)
    return {
        "name": _("Groups · {round}").format(round=title) if groups[0].key.startswith(GROUP) else title,
        "id": row.id,
        "lengths": " / ".join(dict.fromkeys(short_length(one) for one in same)),
        "pairings": sum(len(one.pairings) for one in same),
        "form": None if any(_has_begun(one) for one in same) else _length_form(row, wrong),
    }


def _length_form(shown: RoundView, wrong: BaseForm | None) -> BaseForm:
    prefix = f"round-{shown.id}"
    if wrong is not None and wrong.prefix == prefix:
        return wrong
    return LengthForm(prefix=prefix, initial={"round": shown.id, **length_initial(shown)})


def _has_begun(shown: RoundView) -> bool:
    quiet = ("waiting", "ready", "bye")
    return any(pairing.state not in quiet and pairing.how != "withdrawn" for pairing in shown.pairings)
