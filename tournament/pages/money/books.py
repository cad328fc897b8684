"""The books of an event on a page: what boxes hold, what players owe, and what pots and incomes have."""

from django.http import HttpRequest, HttpResponse

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context
from tournament.queries.money.books_page import books_of


@page("GET")
def books(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    return context.render(request, "books.html", "cash-desk", books=books_of(context.event))
