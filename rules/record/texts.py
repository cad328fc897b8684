"""Text that came from a file, made fit to stand on one line of a page, a database or another file."""

import re

_NEVER_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str, most: int) -> str:
    """No more than so many signs; breaks, control signs and halves of signs become blanks."""
    return _NEVER_SHOWN.sub(" ", text[:most])
