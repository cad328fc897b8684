"""The screens page: links for screens in the hall, what each of them shows, and the slides of the event's own."""

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
from tournament.pages.screens.forms import SHOWS, ScreenForm, SlideForm, as_typed
from tournament.runtime.errors import NotFound
from tournament.runtime.images import content_type
from tournament.screens import display_links
from tournament.screens import slides as slide_work
from tournament.screens.plan import Plan
from tournament.web.qr_codes import qr_picture


@page("GET", "POST")
def screens(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows what there is. POST makes a link and answers with it, because it can be shown only now."""
    context = event_context(request, event, Capability.DIRECT)
    form = ScreenForm(context.event, request.POST or None, initial=as_typed(Plan()))
    if request.method == "POST":
        done = submit(
            form,
            lambda: display_links.make_display(
                context.event, form.cleaned_data["label"], form.plan(), context.actor
            ),
        )
        if done is not None:
            return _link_shown(request, context, *done.value)
    return _shown(request, context, form, SlideForm())


@page("GET", "POST")
def screen_edit(request: HttpRequest, event: str, link: uuid.UUID) -> HttpResponse:
    """What one screen shows; it follows at once."""
    context = event_context(request, event, Capability.DIRECT)
    found = display_links.display_in(context.event, link)
    form = ScreenForm(
        context.event, request.POST or None, initial=as_typed(Plan.from_json(found.plan), found.label)
    )
    if request.method == "POST" and submit(
        form,
        lambda: display_links.change_display(found, form.cleaned_data["label"], form.plan(), context.actor),
    ):
        messages.success(request, _("The screen shows it that way from now on."))
        return redirect("screens", event)
    return context.render(request, "screen_edit.html", "screens", form=form, screen=found)


@page("POST")
def screen_revoke(request: HttpRequest, event: str, link: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    found = DisplayLink.objects.filter(event=context.event, pk=link).first()
    if found is None:
        raise NotFound
    success = _("{screen} shows nothing any more.").format(screen=found.label)
    run(request, lambda: display_links.revoke_display(found, context.actor), success)
    return redirect("screens", event)


@page("POST")
def slide_add(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    form = SlideForm(request.POST, request.FILES)
    done = submit(
        form,
        lambda: slide_work.add_slide(context.event, form.cleaned_data["text"], form.sent(), context.actor),
    )
    if done is None:
        return _shown(request, context, ScreenForm(context.event, initial=as_typed(Plan())), form)
    messages.success(request, _("The slide is on every screen that shows slides."))
    return redirect("screens", event)


@page("POST")
def slide_action(request: HttpRequest, event: str, slide: uuid.UUID, action: str) -> HttpResponse:
    """Moves a slide up or takes it away."""
    context = event_context(request, event, Capability.DIRECT)
    if action not in SLIDE_WORK:
        raise NotFound
    SLIDE_WORK[action](context.event, slide, context.actor)
    return redirect("screens", event)


@page("GET")
def slide_picture(request: HttpRequest, event: str, slide: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    found = slide_work.slide_in(context.event, slide)
    if not found.picture_size:
        raise NotFound
    picture = bytes(found.picture)
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox"}
    return HttpResponse(picture, content_type=content_type(picture), headers=headers)


def _shown(
    request: HttpRequest, context: DirectorContext, form: ScreenForm, slide_form: SlideForm
) -> HttpResponse:
    links = DisplayLink.objects.filter(event=context.event, revoked_at__isnull=True)
    return context.render(
        request,
        "screens.html",
        "screens",
        form=slide_form if slide_form.is_bound else form,
        screen_form=form,
        slide_form=slide_form,
        screens=[(link, _in_words(Plan.from_json(link.plan))) for link in links],
        slides=slide_work.slides_of(context.event),
    )


def _in_words(plan: Plan) -> list[str]:
    """What a screen shows, briefly."""
    return [str(words).split(":", maxsplit=1)[0] for kind, words in SHOWS.items() if plan.shows(kind)]


def _link_shown(
    request: HttpRequest, context: DirectorContext, link: DisplayLink, token: str
) -> HttpResponse:
    address = for_phones(request, reverse("screen", args=[token]))
    return context.render(
        request, "screen_link.html", "screens", screen=link, address=address, picture=qr_picture(address)
    )


SLIDE_WORK: Mapping[str, Callable[[Event, uuid.UUID, Actor], None]] = {
    "up": slide_work.move_slide_up,
    "remove": slide_work.take_slide_away,
}
