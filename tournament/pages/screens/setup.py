"""The director's page of screens: their links and plans, and the event's own slides."""

import uuid
from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import DisplayLink, Event
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.phones.address import for_phones
from tournament.pages.screens.forms import KIND_LABELS, ScreenForm, SlideForm, initial_values
from tournament.queries.screens.deck import load_deck
from tournament.runtime.errors import NotFound
from tournament.runtime.images import content_type
from tournament.screens import display_links
from tournament.screens import slides as slide_work
from tournament.screens.plan import Plan
from tournament.web.qr_codes import qr_picture


@page("GET", "POST")
def screens(request: HttpRequest, event: str) -> HttpResponse:
    """GET lists the screens. POST creates a link and renders it at once, because it cannot be shown later."""
    context = event_context(request, event, Capability.DIRECT)
    form = ScreenForm(context.event, request.POST or None, initial=initial_values(Plan()))
    if request.method == "POST":
        done = submit(
            form,
            lambda: display_links.create_display(
                context.event, form.cleaned_data["label"], form.plan(), context.actor
            ),
        )
        if done is not None:
            return _render_link(request, context, *done.value)
    return _render(request, context, form, SlideForm())


@page("GET", "POST")
def screen_edit(request: HttpRequest, event: str, link: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    screen = display_links.display_of_event(context.event, link)
    form = ScreenForm(
        context.event, request.POST or None, initial=initial_values(Plan.from_json(screen.plan), screen.label)
    )
    if request.method == "POST" and submit(
        form,
        lambda: display_links.change_display(screen, form.cleaned_data["label"], form.plan(), context.actor),
    ):
        messages.success(request, _("Saved. The screen is updated."))
        return redirect("screens", event)
    return context.render(request, "screen_edit.html", "screens", form=form, screen=screen)


@page("POST")
def screen_revoke(request: HttpRequest, event: str, link: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    screen = display_links.any_display_of_event(context.event, link)
    success = _("The link of {screen} is revoked.").format(screen=screen.label)
    run(request, lambda: display_links.revoke_display(screen, context.actor), success)
    return redirect("screens", event)


@page("POST")
def screen_renew(request: HttpRequest, event: str, link: uuid.UUID) -> HttpResponse:
    """Gives the screen a new link and renders it at once, because it cannot be shown later."""
    context = event_context(request, event, Capability.DIRECT)
    screen = display_links.display_of_event(context.event, link)
    return _render_link(request, context, screen, display_links.renew_display(screen, context.actor))


@page("POST")
def slide_add(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    form = SlideForm(request.POST, request.FILES)
    done = submit(
        form,
        lambda: slide_work.add_slide(
            context.event, form.cleaned_data["text"], form.uploaded(), context.actor
        ),
    )
    if done is None:
        return _render(request, context, ScreenForm(context.event, initial=initial_values(Plan())), form)
    messages.success(request, _("The slide is on every screen that shows slides."))
    return redirect("screens", event)


@page("POST")
def slide_action(request: HttpRequest, event: str, slide: uuid.UUID, action: str) -> HttpResponse:
    """Moves a slide up or removes it."""
    context = event_context(request, event, Capability.DIRECT)
    if action not in SLIDE_ACTIONS:
        raise NotFound
    SLIDE_ACTIONS[action](context.event, slide, context.actor)
    return redirect("screens", event)


@page("GET")
def slide_picture(request: HttpRequest, event: str, slide: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    row = slide_work.slide_of_event(context.event, slide)
    if not row.picture_size:
        raise NotFound
    picture = bytes(row.picture)
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox"}
    return HttpResponse(picture, content_type=content_type(picture), headers=headers)


def _render(
    request: HttpRequest, context: DirectorContext, form: ScreenForm, slide_form: SlideForm
) -> HttpResponse:
    links = display_links.displays_of_event(context.event)
    return context.render(
        request,
        "screens.html",
        "screens",
        form=slide_form if slide_form.is_bound else form,
        screen_form=form,
        slide_form=slide_form,
        screens=[
            (link, _kind_labels(Plan.from_json(link.plan)), _short_address(request, link), load_deck(link))
            for link in links
        ],
        slides=slide_work.slides_of_event(context.event),
    )


def _kind_labels(plan: Plan) -> list[str]:
    return [str(words).split(":", maxsplit=1)[0] for kind, words in KIND_LABELS.items() if plan.shows(kind)]


def _short_address(request: HttpRequest, link: DisplayLink) -> str:
    """The address with the code, to be typed on a TV; empty for a screen without a code."""
    return for_phones(request, f"/s/{link.code}") if link.code else ""


def _render_link(
    request: HttpRequest, context: DirectorContext, link: DisplayLink, token: str
) -> HttpResponse:
    address = for_phones(request, reverse("screen", args=[token]))
    return context.render(
        request,
        "screen_link.html",
        "screens",
        screen=link,
        address=address,
        short_address=_short_address(request, link),
        picture=qr_picture(address),
    )


SLIDE_ACTIONS: Mapping[str, Callable[[Event, uuid.UUID, Actor], None]] = {
    "up": slide_work.move_slide_up,
    "remove": slide_work.remove_slide,
}
