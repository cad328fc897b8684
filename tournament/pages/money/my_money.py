"""The page of a phone about the money of its players, and how to pay."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.queries.money.player_statement import player_statement
from tournament.web.error_pages import render_refusals
from tournament.web.payment_ways import payment_ways
from tournament.web.request import players_of, tokens_of
from tournament.web.unknown_phones import unknown_phone


@never_cache
@require_safe
@render_refusals
def my_money(request: HttpRequest) -> HttpResponse:
    """Shows what was charged, paid and won to the phone's own players, and to nobody else."""
    entries = [actor.entry for actor in players_of(request) if actor.entry is not None]
    if not entries:
        return unknown_phone(request, tokens_of(request), 403)
    players = {entry.player_id: (entry.tournament.event, entry.player) for entry in entries}
    statements = []
    for event, player in players.values():
        statement = player_statement(player)
        ways = [way for debt in statement.debts if (way := payment_ways(event, player, debt))]
        statements.append((event, statement, ways))
    return render(request, "player/money.html", {"statements": statements})
