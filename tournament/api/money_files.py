"""API views of downloads: tables of an event's money as CSV, XLSX or JSON."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes, word_parameter
from tournament.api.views import ApiView
from tournament.exports.money_tables import MONEY_TABLES, year_table
from tournament.exports.table_writers import FILE_KINDS
from tournament.queries.money.organizers import events_of_year, owns_organizer
from tournament.runtime.errors import NotFound
from tournament.web.downloads import table_response

CSV, XLSX = (FILE_KINDS[kind].media_type.partition(";")[0] for kind in ("csv", "xlsx"))
FILES: dict[Any, Any] = {
    (200, "application/json"): {
        "type": "array",
        "items": {"type": "object", "additionalProperties": True},
    },
    (200, CSV): OpenApiResponse(OpenApiTypes.BINARY, "The table with headings, as UTF-8."),
    (200, XLSX): OpenApiResponse(OpenApiTypes.BINARY, "The table as a workbook."),
}
KIND = word_parameter("kind", FILE_KINDS)


class TableRenderer(BaseRenderer):
    """Accepts requests for a file. Errors are still problem documents."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return bytes(JSONRenderer().render(data, accepted_media_type, renderer_context))


class CsvRenderer(TableRenderer):
    media_type = CSV
    format = "csv"


class XlsxRenderer(TableRenderer):
    media_type = XLSX
    format = "xlsx"


class FileView(ApiView):
    """Base class of views of downloads. The address decides the kind of file."""

    renderer_classes = (JSONRenderer, CsvRenderer, XlsxRenderer)


class MoneyFileView(FileView):
    @describes("download_money", FILES, parameters=[word_parameter("table", MONEY_TABLES), KIND])
    def get(self, request: Request, event: str, table: str, kind: str) -> HttpResponse:  # noqa: ARG002
        """Returns a table of the event's money as a file."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        if table not in MONEY_TABLES:
            raise NotFound
        return table_response(lambda: MONEY_TABLES[table](row), f"{row.slug}-{table}", kind)


class YearFileView(FileView):
    @describes("download_year", FILES, parameters=[KIND])
    def get(self, request: Request, event: str, kind: str) -> HttpResponse:  # noqa: ARG002
        """Returns the accounts of all events of the organizer in the year of this event. For the organizer's owner."""
        row = permissions.event_for(self.actor, event, Capability.OWN)
        if not owns_organizer(row, self.actor):
            raise NotFound
        year = row.starts_on.year
        return table_response(
            lambda: year_table(events_of_year(row, year, self.actor)), f"{year}-accounts", kind
        )
