"""One checker's move, and a play: the moves of one roll. Legality is not checked here."""

from typing import NamedTuple


class Move(NamedTuple):
    """One checker's start and end, in its owner's numbering: 25 is the bar, 0 is off.

    `hits` is the star of the record, which proves nothing, or the true hit after `resolve_hits`. A move may be
    merged from several dice (24/13 of a 65), as it was written.
    """

    start: int
    end: int
    hits: bool = False


Play = tuple[Move, ...]
