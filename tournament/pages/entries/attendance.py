"""Changes many entries at a time from the entry list: arrived, paid, withdrawn. One undo takes all of it back."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.permissions import Capability
from tournament.entries import attendance
from tournament.entries.attendance import Mark
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.draws.forms import ReasonForm
from tournament.queries.entries.entry_list import entry_list
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import referring_page

MARKS: Mapping[str, Mark] = {
    "arrived": Mark.ARRIVED,
    "not-arrived": Mark.NOT_ARRIVED,
    "paid": Mark.PAID,
    "unpaid": Mark.UNPAID,
    "withdraw": Mark.WITHDRAWN,
}


@page("POST")
def entries_bulk(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Changes the selected entries; with `all`, those of the filter and the search; with `absent`, those who have
    not arrived."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    mark = MARKS.get(request.POST.get("do", ""))
    if mark is None:
        raise NotFound
    entry_ids = _chosen(context, request.POST)
    if not entry_ids:
        messages.error(request, _("Nobody is selected. Select players, or “All”."))
        return _back(request, context)
    reason = ReasonForm(request.POST)
    text = reason.cleaned_data["reason"] if reason.is_valid() else ""
    work = attendance.mark_absent if "absent" in request.POST else attendance.mark_entries
    done = attempt(request, lambda: work(context.tournament, entry_ids, context.actor, mark, text))
    if done is not None:
        undo = reverse("entries-bulk-undo", args=[*context.slugs, done.value.id]) if done.value.count else ""
        messages.success(request, _sentence(mark, done.value.count), extra_tags=undo)
    return _back(request, context)


@page("POST")
def entries_bulk_undo(request: HttpRequest, event: str, tournament: str, batch: UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    done = attempt(request, lambda: attendance.undo_batch(context.tournament, batch, context.actor))
    if done is not None:
        count = done.value.count
        sentence = ngettext("Undone for {count} player.", "Undone for {count} players.", count)
        messages.success(request, sentence.format(count=count))
    return _back(request, context)


def _chosen(context: TournamentContext, sent: QueryDict) -> Collection[UUID]:
    """Returns the chosen entries that are not withdrawn."""
    if "absent" in sent:
        lines, ids = entry_list(context.tournament, filter_name="not-arrived"), None
    elif "all" in sent:
        lines, ids = entry_list(context.tournament, "name", sent.get("show", ""), sent.get("words", "")), None
    else:
        lines, ids = entry_list(context.tournament), set(sent.getlist("entry"))
    active = [line.entry.pk for line in lines if not line.entry.is_withdrawn]
    return [pk for pk in active if ids is None or str(pk) in ids]


def _sentence(mark: Mark, count: int) -> str:
    sentences: Mapping[Mark, str] = {
        Mark.ARRIVED: ngettext("{count} player has arrived.", "{count} players have arrived.", count),
        Mark.NOT_ARRIVED: ngettext(
            "{count} player has not arrived yet.", "{count} players have not arrived yet.", count
        ),
        Mark.PAID: ngettext("{count} player has paid.", "{count} players have paid.", count),
        Mark.UNPAID: ngettext(
            "{count} player has not paid yet.", "{count} players have not paid yet.", count
        ),
        Mark.WITHDRAWN: ngettext(
            "{count} player has been withdrawn.", "{count} players have been withdrawn.", count
        ),
    }
    return sentences[mark].format(count=count)


def _back(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    return redirect(referring_page(request) or reverse("entries", args=context.slugs))
