"""Files that browsers send: how much of one is taken in at all, and the form for a record of a match.

A file is cut where nothing larger can be of use, so that its form says that it is too large; the rest is read and
forgotten. A request that would go on for ever is not read at all.
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
    """Stands before the handlers that keep files, and gives them no more than a file may have."""

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
        """Left to the handlers after this one."""


class GameRecordForm(forms.Form):
    """Any file; whether it is a record, and how large it may be, is said by `records`."""

    file = forms.FileField(
        label=_("File"),
        max_length=None,
        allow_empty_file=True,
        error_messages=dict.fromkeys(
            ("required", "missing", "invalid"), _("Choose the file of the record first.")
        ),
    )

    def uploaded_file(self) -> tuple[bytes, str]:
        """The bytes, one more than is allowed at most, and the name; only after `is_valid`."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        return file.read(MOST_RECORD_BYTES + 1), file.name or ""
