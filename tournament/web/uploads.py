"""Limits uploaded files, and the form for a game record.

A file is cut at the size limit, so that its form can refuse it; the rest is read and dropped. A longer request is
refused unread.
"""

from typing import Any

from django import forms
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.utils.translation import gettext_lazy as _

from matches.models import MOST_RECORD_BYTES

MAX_FILE_BYTES = 12 * 1024 * 1024
MAX_REQUEST_BYTES = 200 * 1024 * 1024


class BoundedUpload(FileUploadHandler):
    """Runs before the handlers that store files, and passes at most MAX_FILE_BYTES to them."""

    def handle_raw_input(
        self,
        input_data: Any,  # noqa: ARG002
        META: dict[str, str],  # noqa: N803, ARG002
        content_length: int,
        boundary: str,  # noqa: ARG002
        encoding: str | None = None,  # noqa: ARG002
    ) -> None:
        if content_length > MAX_REQUEST_BYTES:
            raise RequestDataTooBig

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        return raw_data if start < MAX_FILE_BYTES else None

    def file_complete(self, file_size: int) -> None:
        """Returns None: the handlers after this one create the file."""


class GameRecordForm(forms.Form):
    """Accepts any file. `records` checks its size and content."""

    file = forms.FileField(
        label=_("File"),
        max_length=None,
        allow_empty_file=True,
        error_messages=dict.fromkeys(
            ("required", "missing", "invalid"), _("Choose the file of the record first.")
        ),
    )

    def uploaded_file(self) -> tuple[bytes, str]:
        """Returns the bytes, at most one more than allowed, and the file name. Call after `is_valid`."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        return file.read(MOST_RECORD_BYTES + 1), file.name or ""
