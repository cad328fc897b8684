"""Image files for tests."""

import io

from PIL import Image


def image_file(kind: str = "JPEG", size: tuple[int, int] = (32, 24)) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, "green").save(content, kind)
    return content.getvalue()
