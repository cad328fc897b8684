"""Redraws uploaded pictures, so that no byte of an untrusted file is served.

The result is a JPEG or PNG of at most 1920 pixels per side, without metadata. One picture is decoded at a time, and
formats that can only be decoded whole have a lower pixel limit, which bounds the memory used.
"""

import io
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps

from tournament.models.screens import MOST_PICTURE_BYTES
from tournament.refusals.pictures import (
    NOT_A_PICTURE,
    PICTURE_FILE_TOO_LARGE,
    PICTURE_HAS_TOO_MANY_PIXELS,
    PICTURE_IS_HEIC,
    PICTURE_TOO_LARGE,
    PICTURES_WAIT,
)
from tournament.runtime.errors import Refused

MAX_SIDE = 1920
MAX_PIXELS = 60_000_000
MAX_PIXELS_UNLESS_JPEG = 24_000_000
"""Limit for other formats than JPEG. Decoded with transparency, such a picture takes half a gigabyte."""
LOCK_TIMEOUT_SECONDS = 10.0
MAX_UPLOAD_BYTES = 12 * 1024 * 1024
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
QUALITIES = (88, 80, 70, 55)
SCALES = (1.0, 0.7, 0.5, 0.35)
PNG_SIGNATURE = b"\x89PNG"
DECODING_ERRORS = (
    OSError, ValueError, SyntaxError, TypeError, KeyError, IndexError, OverflowError, MemoryError,
    struct.error, zlib.error, Image.DecompressionBombError,
)  # fmt: skip
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif")
decoding_lock = threading.Lock()


def redraw_picture(data: bytes, max_side: int = MAX_SIDE) -> bytes:
    """Returns the picture as a new JPEG or PNG with at most `max_side` pixels per side.

    Raises Refused if it cannot be decoded or is too large.
    """
    if len(data) > MAX_UPLOAD_BYTES:
        raise Refused(PICTURE_FILE_TOO_LARGE)
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        raise Refused(PICTURE_IS_HEIC)
    try:
        with _decode_alone():
            return _encode(_open_picture(data, max_side))
    except DECODING_ERRORS as error:
        raise Refused(NOT_A_PICTURE) from error


@contextmanager
def _decode_alone() -> Iterator[None]:
    if not decoding_lock.acquire(timeout=LOCK_TIMEOUT_SECONDS):
        raise Refused(PICTURES_WAIT)
    try:
        yield
    finally:
        decoding_lock.release()


def content_type(picture: bytes) -> str:
    return "image/png" if picture.startswith(PNG_SIGNATURE) else "image/jpeg"


def _open_picture(data: bytes, max_side: int) -> Image.Image:
    """Returns the first frame, upright and scaled down. Checks the size before decoding."""
    picture = Image.open(io.BytesIO(data), formats=FORMATS)
    max_pixels = MAX_PIXELS if picture.format == "JPEG" else MAX_PIXELS_UNLESS_JPEG
    if picture.width * picture.height > max_pixels:
        raise Refused(PICTURE_HAS_TOO_MANY_PIXELS, most=max_pixels // 1_000_000)
    picture.draft("RGB", (max_side, max_side))
    picture.thumbnail((max_side, max_side))
    return ImageOps.exif_transpose(picture)


def _encode(picture: Image.Image) -> bytes:
    """Returns a PNG if the picture has transparency, else a JPEG, in the best quality below the size limit."""
    if picture.has_transparency_data:
        for scale in SCALES:
            data = _encode_png(picture.convert("RGBA"), scale)
            if len(data) <= MOST_PICTURE_BYTES:
                return data
    for quality in QUALITIES:
        data = _encode_jpeg(picture.convert("RGB"), quality)
        if len(data) <= MOST_PICTURE_BYTES:
            return data
    raise Refused(PICTURE_TOO_LARGE)


def _encode_png(picture: Image.Image, scale: float) -> bytes:
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    bare = Image.new("RGBA", size)
    bare.paste(picture.resize(size) if scale < 1 else picture)
    return _save(bare, "PNG", optimize=True)


def _encode_jpeg(picture: Image.Image, quality: int) -> bytes:
    bare = Image.new("RGB", picture.size)
    bare.paste(picture)
    return _save(bare, "JPEG", quality=quality)


def _save(bare: Image.Image, image_format: str, **options: int) -> bytes:
    """Encodes a picture made here, which carries no metadata."""
    file = io.BytesIO()
    bare.save(file, image_format, **options)
    return file.getvalue()
