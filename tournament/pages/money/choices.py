"""One table of a tournament: which prices apply to each player, and who plays in which side pool."""

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from tournament.access.permissions import Capability
from tournament.entries.choices import choices_of, set_choices
from tournament.fees.schedule import Condition, FeeChoices
from tournament.ledger.charging import schedule_of
from tournament.models import Entry
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import tournament_context
from tournament.pages.money.choice_fields import Choices, offered_choices
from tournament.queries.money.choices import entries_by_name
from tournament.web.lists import search_list


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """An entry, its stored choices, and those to tick: what was ticked before a refusal, else the stored ones."""

    entry: Entry
    stored: FeeChoices
    ticked: FeeChoices


@page("GET", "POST")
def fee_choices(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """POST stores the choices that differ from those that the page showed, all or none.

    A refusal keeps what was ticked, except for entries that somebody else changed.
    """
    context = tournament_context(request, event, tournament, Capability.MONEY)
    conditions, pools = offered_choices(context.tournament)
    entries = entries_by_name(context.tournament)
    refused: dict[uuid.UUID, FeeChoices] = {}
    if request.method == "POST":
        posted = set(request.POST.getlist("entry"))
        expected = {entry.pk: _expected(request, entry) for entry in entries if str(entry.pk) in posted}
        chosen = {pk: _chosen(request, pk, row, conditions, pools) for pk, row in expected.items()}
        changed = {pk: row for pk, row in chosen.items() if row != expected[pk]}
        done = attempt(request, lambda: set_choices(context.tournament.pk, changed, context.actor, expected))
        if done is not None:
            text = ngettext("{count} entry changed.", "{count} entries changed.", done.value)
            messages.success(request, text.format(count=done.value))
            return redirect(request.get_full_path())
        refused = {
            entry.pk: chosen[entry.pk] for entry in entries if expected.get(entry.pk) == choices_of(entry)
        }
    schedule = schedule_of(context.tournament)
    rows = [
        ChoiceRow(entry, choices_of(entry), refused.get(entry.pk, choices_of(entry))) for entry in entries
    ]
    response = context.render(
        request,
        "fee_choices.html",
        "entries",
        listing=search_list(request, rows, lambda row: row.entry.registered_name),
        conditions=conditions,
        pools=[(key, name, sum(key in entry.pools for entry in entries)) for key, name in pools],
        keeps_pools=bool(schedule and schedule.kept_pools and any(entry.number > 1 for entry in entries)),
    )
    response.status_code = 422 if request.method == "POST" else 200
    return response


def _expected(request: HttpRequest, entry: Entry) -> FeeChoices:
    """The choices of the entry when the page was made."""
    conditions = set(Condition).intersection(request.POST.getlist(f"expected-conditions-{entry.pk}"))
    return FeeChoices(
        frozenset(map(Condition, conditions)), frozenset(request.POST.getlist(f"expected-pools-{entry.pk}"))
    )


def _chosen(
    request: HttpRequest, pk: uuid.UUID, expected: FeeChoices, conditions: Choices, pools: Choices
) -> FeeChoices:
    """The ticked choices of an entry. Choices that the page does not offer stay."""
    offered, offered_pools = {value for value, _label in conditions}, {key for key, _name in pools}
    ticked = offered.intersection(request.POST.getlist(f"conditions-{pk}"))
    joined = offered_pools.intersection(request.POST.getlist(f"pools-{pk}"))
    return FeeChoices(
        frozenset(map(Condition, ticked)) | {row for row in expected.conditions if row not in offered},
        frozenset(joined) | (expected.pools - offered_pools),
    )
