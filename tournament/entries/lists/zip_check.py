"""Checks a ZIP file before a reader opens it: it must be a workbook of limited size.

The sizes stated in a ZIP file can be false, so everything is also unpacked once in pieces and counted. XML tags are
counted too: a small file of empty elements costs a reader more than a large text.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from tournament.entries.lists import remarks
from tournament.entries.lists.limits import MOST_PACKED_FILES, MOST_UNPACKED_BYTES, MOST_XML_TAGS
from tournament.entries.lists.remarks import Remark, UnreadableError

_PIECE = 1 << 18
# As every spreadsheet packs. Of other ways a few hundred bytes can ask for gigabytes before anything is unpacked.
USUAL_COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


@dataclass(slots=True)
class _Tally:
    """Counters of the check so far."""

    unpacked: int = 0
    tags: int = 0
    has_formulas: bool = False

    def add(self, piece: bytes) -> None:
        self.unpacked += len(piece)
        self.tags += piece.count(b"<")
        self.has_formulas = self.has_formulas or _FORMULA.search(piece) is not None
        if self.unpacked > MOST_UNPACKED_BYTES or self.tags > MOST_XML_TAGS:
            raise UnreadableError(remarks.SWOLLEN_WORKBOOK)
        if _STRICT in piece:
            raise UnreadableError(remarks.STRICT_WORKBOOK)


def check_workbook(data: bytes) -> bool:
    """Returns True if the workbook has formulas. Raises UnreadableError unless it is an ordinary small workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            return _check_files(folder)
    except _DAMAGE as damage:
        raise UnreadableError(remarks.BROKEN_WORKBOOK) from damage


def _check_files(folder: zipfile.ZipFile) -> bool:
    files = folder.infolist()
    if len(files) > MOST_PACKED_FILES or sum(file.file_size for file in files) > MOST_UNPACKED_BYTES:
        raise UnreadableError(remarks.SWOLLEN_WORKBOOK)
    if any(file.compress_type not in USUAL_COMPRESSION for file in files):
        raise UnreadableError(remarks.BROKEN_WORKBOOK)
    other = _other_kind({file.filename for file in files}, folder)
    if other is not None:
        raise UnreadableError(other)
    tally = _Tally()
    for file in files:
        for piece in _unpack(folder, file):
            tally.add(piece)
    return tally.has_formulas


def _unpack(folder: zipfile.ZipFile, file: zipfile.ZipInfo) -> Iterator[bytes]:
    with folder.open(file) as packed:
        while piece := packed.read(_PIECE):
            yield piece


def _other_kind(names: set[str], folder: zipfile.ZipFile) -> Remark | None:
    """Returns the remark for a ZIP file that is not a readable workbook, or None."""
    if "xl/workbook.bin" in names:
        return remarks.BINARY_WORKBOOK
    if any(name.startswith("xl/") for name in names):
        return None
    if any(name.startswith("word/") for name in names):
        return remarks.RICH_TEXT
    if any(name.startswith("Index/") or name.endswith(".iwa") for name in names):
        return remarks.NUMBERS_FILE
    if "mimetype" in names and folder.open("mimetype").read(100).startswith(
        b"application/vnd.oasis.opendocument"
    ):
        return remarks.OPEN_DOCUMENT
    return None if "[Content_Types].xml" in names else remarks.ARCHIVE
