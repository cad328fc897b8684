"""Detects the kind of a file from its first bytes: a workbook, text, or a file that must be converted first."""

import re

from tournament.entries.lists import remarks
from tournament.entries.lists.remarks import Remark, UnreadableError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_SIGNATURES: tuple[tuple[bytes, Remark], ...] = (
    (b"\x89PNG\r\n", remarks.PICTURE),
    (b"\xff\xd8\xff", remarks.PICTURE),
    (b"GIF87a", remarks.PICTURE),
    (b"GIF89a", remarks.PICTURE),
    (b"II*\0", remarks.PICTURE),
    (b"MM\0*", remarks.PICTURE),
    (b"{\\rtf", remarks.RICH_TEXT),
    (b"\x1f\x8b", remarks.ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", remarks.ARCHIVE),
    (b"Rar!\x1a", remarks.ARCHIVE),
    (b"BZh", remarks.ARCHIVE),
    (b"\xfd7zXZ\0", remarks.ARCHIVE),
)
_MARKUP: tuple[tuple[re.Pattern[bytes], Remark], ...] = (
    (re.compile(rb"\s*<(!doctype html|html|head|body|table|meta)\b", re.IGNORECASE), remarks.WEB_PAGE),
    (re.compile(rb"\s*<(\?xml|svg)\b", re.IGNORECASE), remarks.XML),
    (re.compile(rb"\s*(\{\s*\"|\[\s*[\[{])"), remarks.JSON),
)
_WORKBOOK_ENDINGS = (".xlsx", ".xlsm", ".xltx", ".xltm")


def is_zip(data: bytes) -> bool:
    """Returns True for a ZIP file, such as an XLSX workbook."""
    return data.startswith(_ZIP)


def refuse_other_files(data: bytes, filename: str) -> None:
    """Raises UnreadableError for a file that is neither text nor an XLSX workbook."""
    remark = _other_kind(data)
    if remark is None and filename.lower().endswith(_WORKBOOK_ENDINGS) and not is_zip(data):
        remark = remarks.BROKEN_WORKBOOK
    if remark is not None:
        raise UnreadableError(remark)


def _other_kind(data: bytes) -> Remark | None:
    if data.startswith(_OLE):
        return _ole_kind(data)
    if b"%PDF-" in data[:1024]:
        return remarks.PDF
    if data[4:8] == b"ftyp" or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return remarks.PICTURE
    by_beginning = (remark for beginning, remark in _SIGNATURES if data.startswith(beginning))
    head = data[:1024].removeprefix(b"\xef\xbb\xbf")
    by_markup = (remark for pattern, remark in _MARKUP if pattern.match(head))
    return next(by_beginning, None) or next(by_markup, None)


def _ole_kind(data: bytes) -> Remark:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return remarks.LOCKED_WORKBOOK
    if "WordDocument".encode("utf-16-le") in data:
        return remarks.RICH_TEXT
    return remarks.OLD_WORKBOOK
