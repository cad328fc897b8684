"""Screens in the hall over the API: links made, changed and revoked, and the slides of the event's own."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes, describes_list
from tournament.api.parsing import BoundedMultiPartParser
from tournament.api.views import ApiView
from tournament.models import DisplayLink, Event, Slide
from tournament.runtime.images import MAX_UPLOAD_BYTES
from tournament.screens import display_links, slides
from tournament.screens.plan import LONGEST, SHORTEST, Plan, Show, Theme


class SecondsBody(serializers.Serializer[Any]):
    """How long each slide of a kind stands; a kind that is left out, or null, is not shown."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            kind.value: serializers.IntegerField(
                min_value=SHORTEST, max_value=LONGEST, required=False, allow_null=True
            )
            for kind in Show
        }


class ScreenBody(serializers.Serializer[Any]):
    label = serializers.CharField(max_length=60, help_text="Where it hangs.")  # type: ignore[assignment]
    seconds = SecondsBody()
    tournaments = serializers.ListField(
        child=serializers.UUIDField(), default=list, max_length=100, help_text="None: all of the event."
    )
    theme = serializers.ChoiceField(choices=[theme.value for theme in Theme], default=Theme.DARK.value)


class ScreenDocument(ScreenBody):
    id = serializers.UUIDField()
    made_at = serializers.DateTimeField()


class NewScreenDocument(ScreenDocument):
    path = serializers.CharField(help_text="What the screen opens. It is told only now.")


class SlideBody(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=200, allow_blank=True, default="")
    file = serializers.FileField(
        required=False, allow_null=True, allow_empty_file=True, help_text="A picture."
    )


class PlaceBody(serializers.Serializer[Any]):
    place = serializers.IntegerField(
        min_value=1, max_value=1000, help_text="Counted from 1; beyond the last slide it becomes the last."
    )


class SlideDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    text = serializers.CharField()
    picture_size = serializers.IntegerField(help_text="In bytes; 0 without a picture.")


class SlideParser(BoundedMultiPartParser):
    """A form with words and a picture; what is clearly longer is not read at all."""

    longest = MAX_UPLOAD_BYTES + 64 * 1024
    sentence = "This picture is larger than 12 MB. Send a smaller one."


class Directing(ApiView):
    """A door for those who direct the event."""

    def event(self, event: str) -> Event:
        return permissions.event_for(self.actor, event, Capability.DIRECT)


class ScreensView(Directing):
    @describes_list("list_screens", ScreenDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """The screens of an event whose links are not revoked, the oldest first."""
        rows = DisplayLink.objects.filter(event=self.event(event), revoked_at__isnull=True)
        return self.page(rows, screen_told, ("made_at", "pk"))

    @describes("make_screen", {201: NewScreenDocument}, 409, request=ScreenBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Makes a link for one more screen."""
        body = self.read(ScreenBody)
        found = self.event(event)
        link, token = display_links.make_display(found, body["label"], plan_of(body), self.actor)
        return Response({**screen_told(link), "path": f"/d/{token}/"}, status=201)


class ScreenView(Directing):
    @describes("change_screen", {200: ScreenDocument}, 409, request=ScreenBody)
    def put(self, request: Request, event: str, screen_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Another name or plan; the screen follows at once."""
        link = display_links.display_in(self.event(event), screen_id)
        body = self.read(ScreenBody)
        display_links.change_display(link, body["label"], plan_of(body), self.actor)
        return Response(screen_told(link))

    @describes("revoke_screen", {204: None})
    def delete(self, request: Request, event: str, screen_id: uuid.UUID) -> Response:  # noqa: ARG002
        """The screen shows nothing more."""
        display_links.revoke_display(display_links.display_in(self.event(event), screen_id), self.actor)
        return Response(status=204)


class SlidesView(Directing):
    parser_classes = (SlideParser,)

    @describes_list("list_slides", SlideDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """The event's own slides in their order."""
        rows = Slide.objects.defer("picture").filter(event=self.event(event))
        return self.page(rows, slide_told, ("position", "pk"))

    @describes("add_slide", {201: SlideDocument}, 409, request=SlideBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Words, a picture or both. A picture is drawn anew at the size of a screen."""
        found, body = self.event(event), self.read(SlideBody)
        file = body.get("file")
        sent = file.read(MAX_UPLOAD_BYTES + 1) if file is not None else b""
        return Response(slide_told(slides.add_slide(found, body["text"], sent, self.actor)), status=201)


class SlideView(Directing):
    @describes("move_slide", {204: None}, request=PlaceBody)
    def put(self, request: Request, event: str, slide_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives a slide another place among the others."""
        found, body = self.event(event), self.read(PlaceBody)
        slides.move_slide(found, slide_id, body["place"], self.actor)
        return Response(status=204)

    @describes("take_slide_away", {204: None})
    def delete(self, request: Request, event: str, slide_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes a slide away; again: changes nothing."""
        slides.take_slide_away(self.event(event), slide_id, self.actor)
        return Response(status=204)


def plan_of(body: dict[str, Any]) -> Plan:
    seconds = {kind: body["seconds"][kind] for kind in Show if body["seconds"].get(kind)}
    return Plan(seconds, tuple(body["tournaments"]), Theme(body["theme"]))


def screen_told(link: DisplayLink) -> dict[str, Any]:
    plan = Plan.from_json(link.plan)
    return {
        "id": link.pk,
        "label": link.label,
        "seconds": {kind.value: plan.seconds.get(kind) for kind in Show},
        "tournaments": plan.tournaments,
        "theme": plan.theme.value,
        "made_at": link.made_at,
    }


def slide_told(slide: Slide) -> dict[str, Any]:
    return {"id": slide.pk, "text": slide.text, "picture_size": slide.picture_size}
