"""Responses that carry a file: exported tables, photos, logos, game records. Permissions are checked by the caller."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils.http import content_disposition_header

from matches.models import GameRecord
from tournament.exports.export_tables import Table
from tournament.exports.table_writers import FILE_KINDS
from tournament.models import EventLogo, Evidence, WinnerPicture
from tournament.runtime.errors import NotFound
from tournament.runtime.images import content_type


def attachment(content: bytes, media_type: str, name: str) -> HttpResponse:
    headers = {
        "Content-Disposition": _disposition(name),
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return HttpResponse(content, content_type=media_type, headers=headers)


def json_attachment(data: Mapping[str, Any], name: str) -> JsonResponse:
    """A JSON file with line breaks."""
    return JsonResponse(
        data,
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": _disposition(f"{name}.json")},
    )


def table_response(table: Callable[[], Table], name: str, kind: str) -> HttpResponse:
    """A table as a file of this kind. Raises NotFound for another kind, without making the table."""
    if kind not in FILE_KINDS:
        raise NotFound
    file_kind = FILE_KINDS[kind]
    return attachment(file_kind.render(table()), file_kind.media_type, f"{name}.{kind}")


def photo_response(evidence: Evidence | WinnerPicture) -> HttpResponse:
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": _disposition(f"{evidence.pk}.jpg", as_attachment=False),
    }
    return HttpResponse(bytes(evidence.photo), content_type="image/jpeg", headers=headers)


def logo_response(logo: EventLogo) -> HttpResponse:
    """Cached for a day, because a new logo has a new address."""
    picture = bytes(logo.picture)
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, max-age=86400",
    }
    return HttpResponse(picture, content_type=content_type(picture), headers=headers)


def record_response(record: GameRecord) -> HttpResponse:
    """Sends the record's bytes unchanged, as a download."""
    headers = {
        "Content-Disposition": _disposition(record.name),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, no-cache",
    }
    return HttpResponse(bytes(record.data), content_type="application/octet-stream", headers=headers)


def _disposition(name: str, *, as_attachment: bool = True) -> str:
    """The header for a file of this name, in any alphabet; an attachment may have none."""
    return content_disposition_header(as_attachment, name) or "attachment"
