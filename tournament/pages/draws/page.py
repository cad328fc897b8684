"""Template variables and forms of the draw page: the preview of a draw, or the current draw."""

from collections.abc import Sequence
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from matches.refusals import Refusal
from tournament.draw.formats import Format
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import draw_secret
from tournament.drawing.round_previews import find_preview
from tournament.models import Draw, Tournament
from tournament.models.brackets import DrawMethod
from tournament.pages.director.context import TournamentContext
from tournament.pages.draws.forms import ClosingForm, DiceForm, DrawForm, ReasonForm, SeedingForm
from tournament.pages.tournaments.length_forms import LengthForm, length_initial
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import BracketView, RoundView
from tournament.queries.brackets.labels import bracket_title, round_title, round_title_in, short_length
from tournament.queries.draws.preview import DrawPreview, RoundPreview, draw_preview, list_draws
from tournament.queries.draws.prospect_labels import format_summary, layout_notes, rematch_notes
from tournament.queries.draws.sketches import bracket_sketches
from tournament.queries.entries.names import list_active_entries
from tournament.queries.events.overview import count_entries
from tournament.queries.rounds import paired_round
from tournament.queries.seats import can_swap_seats
from tournament.refusals.draws import (
    REDRAW_REASON_NEEDED,
    REOPENING_REASON_NEEDED,
    SECRET_REASON_NEEDED,
)
from tournament.web.sentences import refusal_sentence

GROUP = "group "


def render_page(request: HttpRequest, context: TournamentContext, **bound: BaseForm) -> HttpResponse:
    """Renders the page. A form in `bound` has errors and replaces the empty form of that name."""
    draws = list_draws(context.tournament)
    current = _current_draw(draws)
    state = _made_variables(request, context) if current else _preview_variables(context)
    invalid_form = next(iter(bound.values()), None)
    variables: dict[str, Any] = {
        "current": current,
        "draws": draws,
        "waiting": draw_secret.open_commitment(context.tournament),
        **state,
        **_forms(request, context, draws),
        **bound,
    }
    return context.render(request, "draw.html", "draw", form=invalid_form, wrong=set(bound), **variables)


def draw_form(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> DrawForm:
    current = _current_draw(draws)
    return DrawForm(
        request.POST if request.POST.get("do") == "draw" else None,
        initial={"method": _default_method(context)},
        is_redraw=current is not None,
        reason_needed=current is not None and current.is_public,
        names=_bye_choices(context.tournament),
    )


def undo_form(request: HttpRequest, draws: Sequence[Draw]) -> ReasonForm:
    current = _current_draw(draws)
    is_public = current is not None and current.is_public
    return reason_form(request, "undo", REDRAW_REASON_NEEDED if is_public else None)


def reason_form(request: HttpRequest, action: str, needed: Refusal | None) -> ReasonForm:
    """The form of this action of the page. `needed` is the refusal of an empty reason, if a reason is needed."""
    sent = request.POST if request.POST.get("do") == action else None
    return ReasonForm(sent, prefix=action, needed=needed)


def closing_form(request: HttpRequest, context: TournamentContext) -> ClosingForm:
    return ClosingForm(
        request.POST if request.POST.get("do") == "close" else None,
        initial={"method": _default_method(context)},
        names=_bye_choices(context.tournament),
        auto_id="close_%s",
    )


def dice_form(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> DiceForm:
    waiting = draw_secret.open_commitment(context.tournament)
    return DiceForm(
        request.POST if request.POST.get("do") == "dice" else None,
        expected=(draw_secret.public_chance(waiting.rules) if waiting else None) or PublicChance(),
        is_redraw=bool(draws),
        auto_id="dice_%s",
    )


def length_forms(request: HttpRequest, context: TournamentContext) -> dict[int, LengthForm]:
    """Returns the forms of the page for the lengths of rounds, by round."""
    lines = _length_lines(request, bracket_views(context.tournament))
    return {line["id"]: line["form"] for line in lines}


def _current_draw(draws: Sequence[Draw]) -> Draw | None:
    return next((draw for draw in draws if draw.replaced_at is None), None)


def _forms(request: HttpRequest, context: TournamentContext, draws: Sequence[Draw]) -> dict[str, BaseForm]:
    return {
        "draw_form": draw_form(request, context, draws),
        "closing_form": closing_form(request, context),
        "dice_form": dice_form(request, context, draws),
        "reopen_form": reason_form(request, "reopen", REOPENING_REASON_NEEDED),
        "seeding_form": SeedingForm(),
        "undo_form": undo_form(request, draws),
        "give_up_form": reason_form(request, "give-up", SECRET_REASON_NEEDED),
    }


def _default_method(context: TournamentContext) -> str:
    """Random without seeds; otherwise the method of the last draw, or seeded."""
    if not count_entries(context.tournament).seeded:
        return DrawMethod.RANDOM
    last = context.tournament.draws.order_by("-number").first()
    return last.method if last else DrawMethod.SEEDED


def _bye_choices(tournament: Tournament) -> list[tuple[str, str]]:
    """Ids and names of the entries that can be given a bye; none in a format without a sheet."""
    if not Format.from_json(tournament.format).has_sheet:
        return []
    return [(str(entry.pk), entry.name) for entry in list_active_entries(tournament)]


def _preview_variables(context: TournamentContext) -> dict[str, Any]:
    preview = draw_preview(context.tournament)
    estimate = preview.estimate
    return {
        "preview": preview,
        "preview_rounds": [(_round_label(preview, row), row) for row in preview.rounds],
        "format_summary": format_summary(preview.format),
        "layout_notes": [
            *(layout_notes(estimate.report) if estimate and estimate.report else []),
            *rematch_notes(preview.format, preview.entries),
        ],
        "sketches": bracket_sketches(estimate.previews) if estimate else [],
    }


def _round_label(preview: DrawPreview, row: RoundPreview) -> str:
    brackets = {round_preview.bracket for round_preview in preview.rounds}
    if len(brackets) == 1:
        return round_title(row.name)
    if row.bracket == "group":
        return _("Groups · {round}").format(round=round_title(row.name))
    return round_title_in(row.name, row.bracket)


def _made_variables(request: HttpRequest, context: TournamentContext) -> dict[str, Any]:
    brackets = bracket_views(context.tournament)
    paired = paired_round(context.tournament)
    lines = _length_lines(request, brackets)
    has_begun = any(_has_begun(row) for bracket in brackets for row in bracket.rounds)
    return {
        "rounds": lines,
        "can_change_lengths": context.permissions.direct and not all(line["has_begun"] for line in lines),
        "has_more_brackets": len(brackets) > 1,
        "first_rounds": [] if paired else _first_rounds(brackets),
        "has_begun": has_begun,
        "can_swap": not has_begun or can_swap_seats(context.tournament),
        "paired": paired,
        "has_preview": paired is not None and find_preview(context.tournament) is not None,
        "refusal": refusal_sentence(paired.refused) if paired and paired.refused else "",
    }


def _first_rounds(brackets: Sequence[BracketView]) -> list[dict[str, Any]]:
    return [
        {
            "title": bracket_title(bracket.key) if bracket.key != "main" else "",
            "pairings": bracket.rounds[0].pairings,
        }
        for index, bracket in enumerate(brackets)
        if index == 0 or bracket.is_table
    ]


def _length_lines(request: HttpRequest, brackets: Sequence[BracketView]) -> list[dict[str, Any]]:
    """A line with a form for each round of the main bracket.

    In a format with groups a line represents this round of every group.
    """
    if not brackets:
        return []
    groups = [bracket for bracket in brackets if bracket.key.startswith(GROUP)] or [brackets[0]]
    longest = max(groups, key=lambda group: len(group.rounds))
    sent = request.POST if request.POST.get("do") == "lengths" else None
    return [_length_line(row, groups, sent) for row in longest.rounds]


def _length_line(row: RoundView, groups: Sequence[BracketView], sent: QueryDict | None) -> dict[str, Any]:
    same = [other for group in groups for other in group.rounds if other.number == row.number]
    title = round_title(row.name)
    return {
        "name": _("Groups · {round}").format(round=title) if groups[0].key.startswith(GROUP) else title,
        "id": row.id,
        "lengths": " / ".join(dict.fromkeys(short_length(other) for other in same)),
        "matches": sum(pairing.state != "bye" for other in same for pairing in other.pairings),
        "has_begun": any(_has_begun(other) for other in same),
        "form": LengthForm(sent, prefix=f"round-{row.id}", initial={"round": row.id, **length_initial(row)}),
    }


def _has_begun(row: RoundView) -> bool:
    not_begun = ("waiting", "ready", "bye")
    return any(pairing.state not in not_begun and pairing.how != "withdrawn" for pairing in row.pairings)
