"""API views of screens: links created, changed and revoked, and the event's own slides."""

import uuid
from typing import Any

from django.utils.translation import gettext_noop
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
from tournament.screens.plan import LONGEST_SECONDS, SHORTEST_SECONDS, Plan, SlideKind, Theme


class SecondsBody(serializers.Serializer[Any]):
    """Seconds per slide of each kind. A missing or null kind is not shown."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            kind.value: serializers.IntegerField(
                min_value=SHORTEST_SECONDS, max_value=LONGEST_SECONDS, required=False, allow_null=True
            )
            for kind in SlideKind
        }


class ScreenBody(serializers.Serializer[Any]):
    label = serializers.CharField(max_length=60, help_text="The location of the screen.")  # type: ignore[assignment]
    seconds = SecondsBody()
    tournaments = serializers.ListField(
        child=serializers.UUIDField(), default=list, max_length=100, help_text="Empty: all of the event."
    )
    theme = serializers.ChoiceField(choices=[theme.value for theme in Theme], default=Theme.DARK.value)


class ScreenDocument(ScreenBody):
    id = serializers.UUIDField()
    made_at = serializers.DateTimeField()


class NewScreenDocument(ScreenDocument):
    path = serializers.CharField(help_text="The path that the screen opens. It cannot be read later.")


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


class PictureParser(BoundedMultiPartParser):
    """Reads a form with a picture. Rejects a longer body without reading it."""

    max_bytes = MAX_UPLOAD_BYTES + 64 * 1024
    sentence = gettext_noop("This picture is larger than 12 MB. Send a smaller one.")


class DirectorView(ApiView):
    """A view that requires the permission to direct the event."""

    def event(self, event: str) -> Event:
        return permissions.event_for(self.actor, event, Capability.DIRECT)


class ScreensView(DirectorView):
    @describes_list("list_screens", ScreenDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the screens whose links are not revoked, oldest first."""
        rows = display_links.displays_of_event(self.event(event))
        return self.page(rows, screen_json, ("made_at", "pk"))

    @describes("make_screen", {201: NewScreenDocument}, 409, request=ScreenBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Creates the link of a new screen."""
        body = self.read(ScreenBody)
        link, token = display_links.create_display(
            self.event(event), body["label"], plan_of(body), self.actor
        )
        return Response({**screen_json(link), "path": f"/d/{token}/"}, status=201)


class ScreenView(DirectorView):
    @describes("change_screen", {200: ScreenDocument}, 409, request=ScreenBody)
    def put(self, request: Request, event: str, screen_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Changes label and plan. The screen is updated at once."""
        link = display_links.display_of_event(self.event(event), screen_id)
        body = self.read(ScreenBody)
        display_links.change_display(link, body["label"], plan_of(body), self.actor)
        return Response(screen_json(link))

    @describes("revoke_screen", {204: None})
    def delete(self, request: Request, event: str, screen_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Revokes the link: the screen shows nothing more."""
        display_links.revoke_display(display_links.display_of_event(self.event(event), screen_id), self.actor)
        return Response(status=204)


class SlidesView(DirectorView):
    parser_classes = (PictureParser,)

    @describes_list("list_slides", SlideDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the event's own slides in their order."""
        rows = slides.slide_rows(self.event(event))
        return self.page(rows, slide_json, ("position", "pk"))

    @describes("add_slide", {201: SlideDocument}, 409, request=SlideBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Adds a slide with a text, a picture or both. The picture is re-encoded at the size of a screen."""
        row, body = self.event(event), self.read(SlideBody)
        file = body.get("file")
        uploaded = file.read(MAX_UPLOAD_BYTES + 1) if file is not None else b""
        return Response(slide_json(slides.add_slide(row, body["text"], uploaded, self.actor)), status=201)


class SlideView(DirectorView):
    @describes("move_slide", {204: None}, request=PlaceBody)
    def put(self, request: Request, event: str, slide_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Moves a slide to another position."""
        slides.move_slide(self.event(event), slide_id, self.read(PlaceBody)["place"], self.actor)
        return Response(status=204)

    @describes("take_slide_away", {204: None})
    def delete(self, request: Request, event: str, slide_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Removes a slide. Idempotent."""
        slides.remove_slide(self.event(event), slide_id, self.actor)
        return Response(status=204)


def plan_of(body: dict[str, Any]) -> Plan:
    seconds = {kind: body["seconds"][kind] for kind in SlideKind if body["seconds"].get(kind)}
    return Plan(seconds, tuple(body["tournaments"]), Theme(body["theme"]))


def screen_json(link: DisplayLink) -> dict[str, Any]:
    plan = Plan.from_json(link.plan)
    return {
        "id": link.pk,
        "label": link.label,
        "seconds": {kind.value: plan.seconds.get(kind) for kind in SlideKind},
        "tournaments": plan.tournaments,
        "theme": plan.theme.value,
        "made_at": link.made_at,
    }


def slide_json(slide: Slide) -> dict[str, Any]:
    return {"id": slide.pk, "text": slide.text, "picture_size": slide.picture_size}
