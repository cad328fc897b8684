"""One table of a tournament: which prices apply to each player, and who plays in which side pool."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from tournament.access.permissions import Capability
from tournament.entries.choices import choices_of, set_choices
from tournament.fees.schedule import Condition, FeeChoices
from tournament.models import Entry
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import tournament_context
from tournament.pages.money.choice_fields import Choices, offered_choices
from tournament.queries.money.choices import entries_by_name
from tournament.web.lists import search_list


@page("GET", "POST")
def fee_choices(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """POST stores the choices of the entries on the page, all or none."""
    context = tournament_context(request, event, tournament, Capability.MONEY)
    conditions, pools = offered_choices(context.tournament)
    entries = entries_by_name(context.tournament)
    if request.method == "POST":
        shown = set(request.POST.getlist("entry"))
        choices = {
            entry.pk: _posted(request, entry, conditions, pools)
            for entry in entries
            if str(entry.pk) in shown
        }
        done = attempt(request, lambda: set_choices(context.tournament.pk, choices, context.actor))
        if done is not None:
            text = ngettext("{count} entry changed.", "{count} entries changed.", done.value)
            messages.success(request, text.format(count=done.value))
        return redirect(request.get_full_path())
    return context.render(
        request,
        "fee_choices.html",
        "entries",
        listing=search_list(request, entries, lambda entry: entry.registered_name),
        conditions=conditions,
        pools=pools,
    )


def _posted(request: HttpRequest, entry: Entry, conditions: Choices, pools: Choices) -> FeeChoices:
    """The boxes of this entry. Conditions that the page does not offer stay."""
    offered = {value for value, _label in conditions}
    ticked = offered.intersection(request.POST.getlist(f"conditions-{entry.pk}"))
    others = {condition.value for condition in choices_of(entry).conditions} - offered
    chosen = {value for value, _name in pools}.intersection(request.POST.getlist(f"pools-{entry.pk}"))
    return FeeChoices(frozenset(map(Condition, ticked | others)), frozenset(chosen))
