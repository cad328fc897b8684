"""API view of the logo of an event."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.describing import describes
from tournament.api.screens import DirectorView, PictureParser
from tournament.events import logos
from tournament.runtime.images import MAX_UPLOAD_BYTES


class LogoBody(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True, help_text="A PNG, JPEG or WebP picture.")


class LogoDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    size = serializers.IntegerField(help_text="In bytes.")
    path = serializers.CharField(help_text="The path of the picture, for everybody who sees the event.")


class LogoView(DirectorView):
    parser_classes = (PictureParser,)

    @describes("store_logo", {201: LogoDocument}, 409, request=LogoBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Stores the logo in place of the current one. The picture is re-encoded."""
        row = self.event(event)
        logo = logos.store_logo(row, self.read(LogoBody)["file"].read(MAX_UPLOAD_BYTES + 1), self.actor)
        path = reverse("event-logo-file", args=[row.slug, logo.pk])
        return Response({"id": logo.pk, "size": logo.size, "path": path}, status=201)

    @describes("remove_logo", {204: None}, 409)
    def delete(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Removes the logo. Without one, nothing changes."""
        row = self.event(event)
        if row.logo_id is not None:
            logos.remove_logo(row, row.logo_id, self.actor)
        return Response(status=204)
