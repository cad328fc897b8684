"""Text that an XML file can hold: SVG drawings and workbooks are both XML. Pure."""

import re
from xml.sax.saxutils import escape

UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def without_unwritable(text: str) -> str:
    """The text without the control signs that XML has no way to write."""
    return UNWRITABLE.sub("", text)


def escaped(text: str) -> str:
    """The text as content of an element."""
    return escape(without_unwritable(text))
