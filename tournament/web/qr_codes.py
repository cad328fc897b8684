"""QR codes that a page can show without a script."""

import base64
from io import BytesIO

import segno
from PIL import Image, ImageDraw

SWISS_SIZE, SWISS_MARGIN, SWISS_CROSS = 46, 5, 7
"""Millimetres of the Swiss QR code, its margin, and the cross in its middle."""
SCALE = 6


def qr_picture(address: str) -> str:
    """Returns the QR code as an SVG data URL for <img src>. White background in light and dark mode."""
    code = segno.make(address, micro=False, error="m")
    picture: str = code.svg_data_uri(scale=4, border=3, light="#fff", xmldecl=False)
    return picture


def swiss_qr_picture(content: str) -> str:
    """Returns the QR code with the Swiss cross in its middle as a PNG data URL."""
    qr_code = segno.make(content, micro=False, error="m", boost_error=False, encoding="utf-8")
    modules = len(qr_code.matrix)
    raw, png = BytesIO(), BytesIO()
    qr_code.save(raw, kind="png", scale=SCALE, border=-(-modules * SWISS_MARGIN // SWISS_SIZE))
    raw.seek(0)
    paper = Image.open(raw).convert("L")
    cross = _swiss_cross(modules * SCALE * SWISS_CROSS // SWISS_SIZE)
    middle = (paper.width - cross.width) // 2
    paper.paste(cross, (middle, middle))
    paper.save(png, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}"


def _swiss_cross(size: int) -> Image.Image:
    """A black square in a white frame, with the cross of the flag: arms of 6/32 and 20/32 of the square."""
    image = Image.new("L", (size, size), "white")
    draw = ImageDraw.Draw(image)
    frame = size // 14
    square = size - 2 * frame
    last, middle = size - 1 - frame, size // 2
    draw.rectangle((frame, frame, last, last), "black")
    length, width = square * 10 // 32, square * 3 // 32
    draw.rectangle((middle - length, middle - width, middle + length, middle + width), "white")
    draw.rectangle((middle - width, middle - length, middle + width, middle + length), "white")
    return image
