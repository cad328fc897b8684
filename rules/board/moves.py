"""One checker's move, and a play: what was done with a roll. Nothing here knows whether they are legal."""

from typing import NamedTuple


class Move(NamedTuple):
    """One checker from and to, in its owner's count: 25 the bar, 0 off.

    `hits` is a mark: the record's own for a hit, which proves nothing, or the board's, once a play is
    resolved. A move may be merged from several dice (24/13 of a 65), just as it was written.
    """

    start: int
    end: int
    hits: bool = False


Play = tuple[Move, ...]
