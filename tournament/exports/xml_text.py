"""Prepares text for XML files, such as SVG and XLSX. Pure."""

import re
from xml.sax.saxutils import escape

UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def remove_unwritable(text: str) -> str:
    """Removes control characters that XML cannot contain."""
    return UNWRITABLE.sub("", text)


def escape_text(text: str) -> str:
    return escape(remove_unwritable(text))
