"""The only module that uses the optional package gammonview, whose `gvformat` decodes .xg and .bgf files.

The import is inside the functions, so that everything else works without the package. Data is unpacked and
measured here before the package gets it, and its exceptions do not leave this module.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

XG_MAGIC = b"RGMH"
CUT_OFF = "cut_off"
"""The kind of record that marks a file without its end."""
_XG_HEADER = 8_232
_XG_RECORD = 2_560
_XG_AT_ONCE = 64
_XG_MOST = 32_000_000
_BGF_MOST = 6_000_000
_BGF_MOST_CONTAINERS = 400_000
_BGF_LONGEST_HEADER = 10_000
_SMILE_MAGIC = b":)\n"
_ZLIB_OR_GZIP = 47
_LONG_RUN = re.compile(rb"[\x00-\x7f]{200,}")
_MOST_RUN_WORK = 2_000_000_000

XgRecord = tuple[str, dict[str, Any]]


class MissingLibrary(Exception):
    """The optional package is not installed."""


class CannotDecode(Exception):
    """The file is damaged, too large or of a kind that the package does not know."""


def xg_records(data: bytes) -> Iterator[XgRecord]:
    """The records of an .xg file, decoded a few at a time, then CUT_OFF if its packed part has no end.

    Raises MissingLibrary and CannotDecode.
    """
    try:
        from gvformat.xg import read_xg  # noqa: PLC0415  # optional, see above
    except ImportError as error:
        raise MissingLibrary from error
    if len(data) < _XG_HEADER:
        raise CannotDecode("cut off")
    unpacked, is_whole = _unpack(data[_XG_HEADER + struct.unpack_from("<I", data, 20)[0] :], _XG_MOST)
    header = XG_MAGIC + bytes(_XG_HEADER - len(XG_MAGIC))
    for start in range(0, len(unpacked), _XG_RECORD * _XG_AT_ONCE):
        packed = zlib.compress(unpacked[start : start + _XG_RECORD * _XG_AT_ONCE], 0)
        try:
            yield from read_xg(header + packed)
        except Exception as error:
            raise CannotDecode("records") from error
    if not is_whole:
        yield CUT_OFF, {}


def bgf_document(data: bytes) -> dict[str, Any]:
    """The content of a .bgf file. Raises MissingLibrary and CannotDecode."""
    try:
        from gvformat.bgf import decode_smile  # noqa: PLC0415  # optional, see above
    except ImportError as error:
        raise MissingLibrary from error
    payload, _ = _unpack(data.partition(b"\n")[2], _BGF_MOST)
    if not payload.startswith(_SMILE_MAGIC) or _costs_too_much(payload):
        raise CannotDecode("payload")
    try:
        document = decode_smile(payload)
    except Exception as error:
        raise CannotDecode("document") from error
    if not isinstance(document, dict):
        raise CannotDecode("document")
    return document


def is_bgf(data: bytes) -> bool:
    """True if the first line names this format."""
    try:
        header = json.loads(data[:_BGF_LONGEST_HEADER].partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == "BGF"


def _unpack(packed: bytes, limit: int) -> tuple[bytes, bool]:
    """The unpacked bytes, and whether they are complete. Plain bytes are returned unchanged.

    Raises CannotDecode beyond `limit`; at most one byte more is ever unpacked.
    """
    decompressor = zlib.decompressobj(_ZLIB_OR_GZIP)
    try:
        unpacked, is_whole = decompressor.decompress(packed, limit + 1), decompressor.eof
    except zlib.error:
        unpacked, is_whole = packed, True
    if len(unpacked) > limit:
        raise CannotDecode("too large")
    return unpacked, is_whole


def _costs_too_much(payload: bytes) -> bool:
    """Containers cost memory; a number of n bytes, each below 128, costs the square of n in time."""
    containers = payload.count(b"\xfa") + payload.count(b"\xf8")
    runs = sum(len(run[0]) ** 2 for run in _LONG_RUN.finditer(payload))
    return containers > _BGF_MOST_CONTAINERS or runs > _MOST_RUN_WORK
