"""Papers that the desk prints: slips with personal codes, score cards and the wall poster."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.brackets.advancing import current_draw
from tournament.models import Entry, Tournament
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context, tournament_context
from tournament.pages.phones.address import for_phones, origin_for_phones
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import PairingView, RoundView
from tournament.queries.brackets.labels import round_title_in
from tournament.queries.entries.entry_list import entries_for_slips
from tournament.web.one_at_a_time import Work, one_at_a_time
from tournament.web.qr_codes import qr_picture

LINES_ON_A_CARD = range(1, 16)
SLIPS_A_PAGE = 128
"""128 slips are 16 sheets. A QR code takes 20 ms, and one request makes all codes of a page."""


class Batch(NamedTuple):
    """The slips of one page, counted from 1. `value` is the value of its button."""

    value: str
    first: int
    last: int


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
    """GET lists the papers. POST makes a new link for each slip and shows the links once."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    entries = {
        "all": entries_for_slips(context.tournament, only_without=False),
        "without": entries_for_slips(context.tournament, only_without=True),
    }
    if request.method != "POST":
        return context.render(
            request,
            "papers.html",
            "papers",
            everybody=entries["all"],
            without=entries["without"],
            batches=_batches("all", len(entries["all"])),
            batches_without=_batches("without", len(entries["without"])),
            rounds=[printed_round for printed_round in _rounds(context.tournament) if printed_round.playable],
        )
    chosen_entries = _chosen(entries, request.POST.get("whom", ""))
    origin = origin_for_phones(request)
    with one_at_a_time(context.actor, Work.SLIPS):
        tokens = links.make_links(chosen_entries, context.actor)
        printed_slips = [_slip(f"{origin}/p/{token}/", entry) for entry, token in tokens.items()]
    return context.render(request, "slips.html", "papers", slips=printed_slips)


def _batches(selection: str, count: int) -> list[Batch]:
    return [
        Batch(f"{selection}-{first}", first, min(first + SLIPS_A_PAGE - 1, count))
        for first in range(1, count + 1, SLIPS_A_PAGE)
    ]


def _chosen(entries: dict[str, list[Entry]], value: str) -> list[Entry]:
    """Returns the entries of the batch that begins with this number, or the first batch if the value is invalid."""
    selection, _, first = value.partition("-")
    start = int(first) - 1 if first.isascii() and first.isdigit() and len(first) < 6 else 0
    return entries.get(selection, entries["all"])[max(0, start) :][:SLIPS_A_PAGE]


@page("GET")
def cards(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Prints score cards for the ready matches of one round, or of all rounds."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    number = request.GET.get("round", "")
    rounds = [
        printed_round for printed_round in _rounds(context.tournament) if number in ("", printed_round.key)
    ]
    printed_cards = [
        _card(printed_round, pairing) for printed_round in rounds for pairing in printed_round.playable
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
