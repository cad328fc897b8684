"""Pictures for slides: looked at with suspicion, and made anew so that nothing of the file that came goes out.

No Django. What comes out is a JPEG or a PNG, at most 1920 pixels either way, without a word about who took it where.
Only one is unpacked at a time, and of kinds that can only be unpacked whole none that would take much room.
"""

import io
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps

from tournament.models.screens import MOST_PICTURE_BYTES
from tournament.runtime.errors import Refused

MAX_SIDE = 1920
MAX_PIXELS = 60_000_000
MAX_PIXELS_UNLESS_JPEG = 24_000_000
"""Of what is no JPEG: unpacked with its transparent parts such a picture takes half a gigabyte and more."""
LOCK_TIMEOUT_SECONDS = 10.0
"""Seconds that a picture waits for the one before it."""
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


def redraw_picture(data: bytes) -> bytes:
    """The picture, drawn again; raises Refused for what is no picture, or too much of one."""
    if len(data) > MAX_UPLOAD_BYTES:
        raise Refused("picture-too-large", "This picture is larger than 12 MB. Send a smaller one.")
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        raise Refused(
            "not-a-picture",
            "This photo is of a kind (HEIC) that cannot be read here. Take it from this page, or choose “Most"
            " Compatible” in the camera's settings and take it again.",
        )
    try:
        with _decode_alone():
            return _encode(_open_picture(data))
    except DECODING_ERRORS as error:
        raise Refused(
            "not-a-picture",
            "This file is not a picture that can be read. Send a JPEG, PNG, WebP or GIF file.",
        ) from error


@contextmanager
def _decode_alone() -> Iterator[None]:
    if not decoding_lock.acquire(timeout=LOCK_TIMEOUT_SECONDS):
        raise Refused(
            "pictures-wait", "Other pictures are still being looked at. Send this one again in a moment."
        )
    try:
        yield
    finally:
        decoding_lock.release()


def content_type(picture: bytes) -> str:
    return "image/png" if picture.startswith(PNG_SIGNATURE) else "image/jpeg"


def _open_picture(data: bytes) -> Image.Image:
    """The first frame, upright and no larger than needed. Its size is asked before anything is unpacked."""
    opened = Image.open(io.BytesIO(data), formats=FORMATS)
    most = MAX_PIXELS if opened.format == "JPEG" else MAX_PIXELS_UNLESS_JPEG
    if opened.width * opened.height > most:
        raise Refused(
            "picture-too-large",
            "This picture has more than {most} million pixels. Send a smaller one.",
            most=most // 1_000_000,
        )
    opened.draft("RGB", (MAX_SIDE, MAX_SIDE))
    opened.thumbnail((MAX_SIDE, MAX_SIDE))
    return ImageOps.exif_transpose(opened)


def _encode(picture: Image.Image) -> bytes:
    """With its transparent parts as a PNG, else as a JPEG: the first that is small enough."""
    if picture.has_transparency_data:
        for share in SCALES:
            packed = _encode_png(picture.convert("RGBA"), share)
            if len(packed) <= MOST_PICTURE_BYTES:
                return packed
    for quality in QUALITIES:
        packed = _encode_jpeg(picture.convert("RGB"), quality)
        if len(packed) <= MOST_PICTURE_BYTES:
            return packed
    raise Refused(
        "picture-too-large", "This picture stays too large however it is packed. Send a simpler one."
    )


def _encode_png(picture: Image.Image, share: float) -> bytes:
    size = (max(1, round(picture.width * share)), max(1, round(picture.height * share)))
    bare = Image.new("RGBA", size)
    bare.paste(picture.resize(size) if share < 1 else picture)
    return _save(bare, "PNG", optimize=True)


def _encode_jpeg(picture: Image.Image, quality: int) -> bytes:
    bare = Image.new("RGB", picture.size)
    bare.paste(picture)
    return _save(bare, "JPEG", quality=quality)


def _save(bare: Image.Image, kind: str, **how: int) -> bytes:
    """Of a picture that was made here, so that nothing hangs on it."""
    room = io.BytesIO()
    bare.save(room, kind, **how)
    return room.getvalue()
