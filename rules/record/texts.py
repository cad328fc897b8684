"""Makes text from a file safe for one line of a page, a database or another file."""

import re

_NEVER_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str, most: int) -> str:
    """The first `most` characters; line breaks, control characters and surrogates become blanks."""
    return _NEVER_SHOWN.sub(" ", text[:most])
