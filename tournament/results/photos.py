"""Re-encodes photos of a dispute, so that only the picture is stored and no metadata."""

import io

from PIL import Image

from tournament.models.desk import MOST_PHOTO_BYTES
from tournament.refusals.pictures import PICTURE_TOO_LARGE
from tournament.runtime.errors import Refused
from tournament.runtime.images import redraw_picture

LONGEST_SIDE = 1600
QUALITIES = (85, 75, 60, 40)


def photo_as_jpeg(data: bytes) -> bytes:
    """A JPEG of at most 1600 x 1600 pixels and 2 MB. Raises Refused if the data is no picture or too large."""
    picture = Image.open(io.BytesIO(redraw_picture(data)))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture.getchannel("A") if picture.mode == "RGBA" else None)
    for quality in QUALITIES:
        room = io.BytesIO()
        paper.save(room, "JPEG", quality=quality)
        if room.tell() <= MOST_PHOTO_BYTES:
            return room.getvalue()
    raise Refused(PICTURE_TOO_LARGE)
