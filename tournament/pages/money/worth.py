"""The page of what the remaining players of a tournament can expect to win."""

from django.http import HttpRequest, HttpResponse

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import tournament_context
from tournament.queries.money.worth import load_worth


@page("GET")
def worth_now(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.MONEY)
    return context.render(request, "worth.html", "desk", worth=load_worth(context.tournament))
