"""Entries after the draw: late players, the terms of re-entry, and re-entry."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.brackets.open_seats import EntrySeat
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import ranked_brackets
from tournament.entries import late_entry, reentry
from tournament.ledger.charging import event_registration, late_price
from tournament.models import Entry, Pairing, Tournament
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.director.pairing import names_in
from tournament.pages.entries.entry import entry_in_tournament
from tournament.pages.entries.late_entry_forms import LateForm, TermsForm
from tournament.pages.entries.same_person import people_to_choose
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.bracket_list import reentry_bracket_keys
from tournament.queries.brackets.labels import bracket_title
from tournament.queries.brackets.numbering import Number
from tournament.queries.entries.names import entry_names
from tournament.queries.entries.path import load_path
from tournament.runtime.errors import Refused
from tournament.web.sentences import refusal_sentence


@page("GET", "POST")
def late(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the free seats; POST enters the player on one of them."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    tournament_row = context.tournament
    if advancing.current_draw(tournament_row) is None:
        return redirect("entries", event, tournament)
    waiting = late_entry.matches_that_would_wait(tournament_row)
    free_seats = _free_seats(tournament_row, waiting)
    losses = late_entry.max_starting_losses(tournament_row)
    form = LateForm(
        request.POST or None,
        tournament=tournament_row,
        seats=free_seats,
        most_losses=losses,
        initial={"given_losses": 0},
    )
    if request.method == "POST":
        done = submit(form, lambda: late_entry.enter(tournament_row.pk, form.late(), context.actor))
        if done is not None:
            messages.success(request, _entered_sentence(done.value))
            return redirect("entry-edit", event, tournament, done.value.pk)
    joins = late_entry.joins_the_next_round(tournament_row) and not late_entry.is_last_round_paired(
        tournament_row
    )
    return context.render(
        request,
        "late_entry.html",
        "entries",
        form=form,
        people=people_to_choose(form),
        free=len(free_seats),
        joins=joins,
        is_open=joins or bool(free_seats),
        would_wait=list(dict.fromkeys(names_in(pairing) for pairing in waiting.values())),
        loser_is_out=late_entry.loser_would_be_out(tournament_row),
        price=late_price(tournament_row),
        registration=event_registration(context.event),
        laid_out_again=late_entry.brackets_would_be_laid_out_again(tournament_row),
    )


@page("GET", "POST")
def reentry_terms(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    terms = reentry.terms_of(context.tournament)
    form = TermsForm(
        request.POST or None,
        initial=_initial(terms),
        brackets=_brackets(context.tournament),
        has_price=not context.tournament.charges_fees,
    )
    if request.method == "POST" and submit(
        form, lambda: reentry.set_terms(context.tournament.pk, form.terms(), context.actor)
    ):
        messages.success(request, _("The re-entry terms are saved."))
        return redirect("reentry-terms", event, tournament)
    return context.render(
        request,
        "reentry.html",
        "setup",
        form=form,
        shows_seats=terms.allowed and _has_drawn_sheet(context.tournament),
        free_seats=reentry.count_free_seats(context.tournament),
        bracket=bracket_title(terms.into),
    )


@page("POST")
def entry_reenter(request: HttpRequest, event: str, tournament: str, entry: UUID) -> HttpResponse:
    """Enters a player again and redirects to the page of the new entry, which makes links for phones."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    entry_row = entry_in_tournament(context, entry)
    try:
        new_entry = reentry.re_enter(entry_row, context.actor)
    except Refused as refusal:
        messages.error(request, refusal_sentence(refusal))
        return redirect("entry-edit", event, tournament, entry)
    sentence = (
        _("{name} has re-entered. The cash desk shows the open amount.")
        if context.tournament.charges_fees
        else _("{name} has re-entered. Mark the new entry when it is paid.")
    )
    messages.success(request, sentence.format(name=entry_row.name))
    return redirect("entry-edit", event, tournament, new_entry.pk)


def _entered_sentence(entry: Entry) -> str:
    """Names the opponent if the draw is released and the seat has one."""
    meetings = load_path(entry).meetings
    opponents = [meeting.opponent.registered_name for meeting in meetings if meeting.opponent]
    if not opponents:
        return _("{name} has been entered and has a seat.").format(name=entry.name)
    return _("{name} has been entered and plays {opponent}.").format(name=entry.name, opponent=opponents[0])


def _free_seats(tournament: Tournament, waiting: Mapping[int, Pairing]) -> list[tuple[str, str]]:
    names, numbers = entry_names(tournament), load_numbers(tournament)
    return [
        (str(seat.feed), _seat_words(seat, names, numbers.get(seat.pairing), waiting.get(seat.feed)))
        for seat, *_others in late_entry.available_places(tournament)
    ]


def _seat_words(
    seat: EntrySeat, names: Mapping[UUID, str], number: Number | None, waiting_pairing: Pairing | None
) -> str:
    bracket = bracket_title(seat.bracket)
    if seat.opponent is not None:
        seat_words = _("{bracket}: against {name}").format(bracket=bracket, name=names.get(seat.opponent, ""))
    elif number is not None:
        seat_words = _("{bracket}, match {number}").format(bracket=bracket, number=number.called)
    else:
        seat_words = _("{bracket}, line {line}").format(bracket=bracket, line=seat.line)
    if waiting_pairing is None:
        return seat_words
    left, right = names_in(waiting_pairing)
    return _("{seat} ({left} – {right} waits)").format(seat=seat_words, left=left, right=right)


def _brackets(tournament: Tournament) -> list[tuple[str, str]]:
    """Returns the drawn brackets, or before the draw of a knock-out the planned ones."""
    is_drawn = advancing.current_draw(tournament) is not None
    planned = Format.from_json(tournament.format)
    keys = (
        ranked_brackets(planned) if planned.has_sheet and not is_drawn else reentry_bracket_keys(tournament)
    )
    chosen = reentry.terms_of(tournament).into
    return [(key, bracket_title(key)) for key in dict.fromkeys([*keys, chosen])]


def _has_drawn_sheet(tournament: Tournament) -> bool:
    has_sheet = Format.from_json(tournament.format).has_sheet
    return has_sheet and advancing.current_draw(tournament) is not None


def _initial(terms: reentry.ReentryTerms) -> dict[str, Any]:
    return {
        "allowed": terms.allowed,
        "price": terms.price,
        "times": terms.times,
        "until_round": terms.until_round or None,
        "into": terms.into,
    }
