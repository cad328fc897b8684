"""Pictures for slides: re-encoded, scaled down and without metadata; other files are refused."""

import io
import random
import struct
import zlib

import pytest
from PIL import Image

from tests.tournament.images import image_file
from tournament.models.screens import MOST_PICTURE_BYTES
from tournament.runtime import images
from tournament.runtime.errors import Refused
from tournament.runtime.images import MAX_SIDE, MAX_UPLOAD_BYTES, content_type, redraw_picture


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture))


def png_of(width: int, height: int) -> bytes:
    """A PNG that says it is that large and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 50))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_picture_is_scaled_down_to_screen_size(kind):
    made = redraw_picture(image_file(kind, (2400, 600)))
    assert opened(made).size == (MAX_SIDE, 480)
    assert content_type(made) == "image/jpeg"


def test_pixel_limits_depend_on_the_picture_format():
    assert opened(redraw_picture(image_file("JPEG", (6_000, 4_200)))).size == (MAX_SIDE, 1344)
    with pytest.raises(Refused, match="more than 24 million pixels"):
        redraw_picture(png_of(5_000, 5_000))


def test_pictures_are_decoded_one_at_a_time_with_a_time_limit(monkeypatch):
    monkeypatch.setattr(images, "LOCK_TIMEOUT_SECONDS", 0.01)
    with images.decoding_lock, pytest.raises(Refused) as refused:
        redraw_picture(image_file("PNG"))
    assert refused.value.code == "pictures-wait"
    with pytest.raises(Refused):
        redraw_picture(image_file("PNG")[:60])
    assert redraw_picture(image_file("PNG"))


def test_a_heic_photo_is_refused_with_a_hint():
    with pytest.raises(Refused, match="Most Compatible"):
        redraw_picture(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100))


def test_metadata_and_trailing_data_are_removed():
    source, exif = Image.new("RGB", (40, 20), "red"), Image.Exif()
    exif[0x010E], exif[0x0112] = "taken at the secret place", 6
    sent = io.BytesIO()
    source.save(sent, "JPEG", exif=exif, comment=b"a secret remark")
    made = redraw_picture(sent.getvalue() + b"<script>secret</script>")
    assert b"secret" not in made
    assert opened(made).size == (20, 40)
    assert not opened(made).getexif()


def test_transparency_is_kept_and_noise_stays_under_two_megabytes():
    clear = Image.frombytes("RGBA", (800, 800), random.Random(1).randbytes(4 * 800 * 800))
    sent = io.BytesIO()
    clear.save(sent, "PNG", compress_level=1)
    made = redraw_picture(sent.getvalue())
    assert content_type(made) == "image/png"
    assert opened(made).mode == "RGBA"
    assert len(made) <= MOST_PICTURE_BYTES


@pytest.mark.parametrize(
    "sent",
    [
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"%PDF-1.7",
        image_file("PNG")[:60],
        image_file("JPEG")[:200],
        png_of(40, 40),
        png_of(50_000, 50_000),
        png_of(9_000, 9_000),
        b"\x89PNG\r\n\x1a\n" + b"\xff" * 400,
        b"BM" + bytes(60),
        bytes(MAX_UPLOAD_BYTES + 1),
    ],
    ids=["gif head", "svg", "pdf", "cut png", "cut jpeg", "empty png", "bomb", "large", "torn png", "bmp", "13 MB"],
)  # fmt: skip
def test_invalid_and_oversized_pictures_are_refused(sent):
    with pytest.raises(Refused) as refused:
        redraw_picture(sent)
    assert refused.value.code in ("not-a-picture", "picture-too-large")
