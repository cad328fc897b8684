"""Papers that the desk prints: slips with personal codes, score cards and the wall poster."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.brackets.advancing import current_draw
from tournament.models import Entry, Tournament
from tournament.pages.director.actions import page
from tournament.pages.director.context import TournamentContext, event_context, tournament_context
from tournament.pages.phones.address import for_phones, origin_for_phones
from tournament.pages.phones.payment_slips import are_payments_open, payment_ways_of
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import PairingView, RoundView
from tournament.queries.brackets.labels import round_title_in
from tournament.queries.entries.entry_list import EntryLine, entry_list
from tournament.web.one_at_a_time import Work, one_at_a_time
from tournament.web.qr_codes import qr_picture

LINES_ON_A_CARD = range(1, 16)
SLIPS_A_PAGE = 128
"""128 slips are 16 sheets. A QR code takes 20 ms, and one request makes all codes of a page."""
SLIP_FILTERS: Mapping[str, Promise] = {
    "active": gettext_lazy("All players"),
    "not-printed": gettext_lazy("Not printed"),
    "no-phone": gettext_lazy("Without a phone"),
}


class PrintedRound(NamedTuple):
    """A round of a bracket. `key` identifies it in an address."""

    bracket: str
    round_view: RoundView

    @property
    def key(self) -> str:
        return str(self.round_view.id)

    @property
    def name(self) -> str:
        return round_title_in(self.round_view.name, self.bracket)

    @property
    def playable(self) -> list[PairingView]:
        return [pairing for pairing in self.round_view.pairings if pairing.state == "ready"]

    @property
    def cards(self) -> int:
        return len(self.playable)


@page("GET", "POST")
def slips(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET lists the papers. POST makes a new link for each chosen entry and shows the links once."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    lines = entry_list(context.tournament, filter_name="active")
    if request.method != "POST":
        return _render_papers(request, context, lines)
    entries = _chosen_entries(context.tournament, lines, request.POST)
    if not entries:
        messages.error(request, _("The selected players are no longer in this list. Select others."))
        return redirect("slips", *context.slugs)
    with_payment = context.permissions.money and "with_payment" in request.POST
    most = SLIPS_A_PAGE // 2 if with_payment else SLIPS_A_PAGE
    printed, rest = entries[:most], entries[most:]
    origin = origin_for_phones(request)
    with one_at_a_time(context.actor, Work.SLIPS):
        tokens = links.make_links(printed, context.actor)
        printed_slips = [_slip(f"{origin}/p/{token}/", entry) for entry, token in tokens.items()]
        ways = payment_ways_of(context.event, printed) if with_payment else {}
    return context.render(
        request,
        "slips.html",
        "papers",
        slips=[
            (slip, ways.get(entry.player_id, [])) for slip, entry in zip(printed_slips, tokens, strict=True)
        ],
        with_payment=with_payment,
        rest=",".join(str(entry.pk) for entry in rest),
        rest_count=len(rest),
    )


def _render_papers(request: HttpRequest, context: TournamentContext, lines: list[EntryLine]) -> HttpResponse:
    chosen_filter = _filter_name(request.GET.get("show", ""))
    listed = {name: entry_list(context.tournament, filter_name=name) for name in SLIP_FILTERS}
    rounds = [printed_round for printed_round in _rounds(context.tournament) if printed_round.playable]
    return context.render(
        request,
        "papers.html",
        "papers",
        everybody=lines,
        lines=listed[chosen_filter],
        chosen_filter=chosen_filter,
        filters=[(name, label, len(listed[name])) for name, label in SLIP_FILTERS.items()],
        most=SLIPS_A_PAGE,
        are_payments_open=context.permissions.money and are_payments_open(context.event, lines),
        rounds=rounds,
    )


def _filter_name(typed: str) -> str:
    return typed if typed in SLIP_FILTERS else next(iter(SLIP_FILTERS))


def _chosen_entries(tournament: Tournament, lines: Sequence[EntryLine], sent: QueryDict) -> list[Entry]:
    """The selected entries by name, without a selection those of the filter; `rest` is what the last page left over."""
    if "all" in sent or not sent.keys() & {"entry", "rest"}:
        chosen_filter = _filter_name(sent.get("show", ""))
        return [line.entry for line in entry_list(tournament, filter_name=chosen_filter)]
    chosen = {*sent.getlist("entry"), *sent.get("rest", "").split(",")}
    return [line.entry for line in lines if str(line.entry.pk) in chosen]


@page("GET")
def cards(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Prints score cards for the ready matches: of one round, the chosen ones, or all."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    number, chosen = request.GET.get("round", ""), set(request.GET.getlist("match"))
    printed_cards = [
        _card(printed_round, pairing)
        for printed_round in _rounds(context.tournament)
        for pairing in printed_round.playable
        if number in ("", printed_round.key) and (not chosen or str(pairing.id) in chosen)
    ]
    return context.render(request, "cards.html", "papers", cards=printed_cards, rows=LINES_ON_A_CARD)


@page("GET")
def poster_print(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DESK)
    address = for_phones(request, reverse("poster", args=[event]))
    return context.render(request, "poster.html", "poster", address=address, picture=qr_picture(address))


def _slip(address: str, entry: Entry) -> dict[str, object]:
    return {"entry": entry, "address": address, "picture": qr_picture(address)}


def _rounds(tournament: Tournament) -> list[PrintedRound]:
    brackets = bracket_views(tournament) if current_draw(tournament) else []
    return [PrintedRound(bracket.key, round_view) for bracket in brackets for round_view in bracket.rounds]


def _card(printed_round: PrintedRound, pairing: PairingView) -> dict[str, object]:
    return {
        "round": printed_round.name,
        "number": pairing.called,
        "to": pairing,
        "left": pairing.left.name,
        "right": pairing.right.name,
    }
