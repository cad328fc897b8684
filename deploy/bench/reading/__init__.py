"""How fast whoever looks on is served: public pages from memory, the first view after a change, live streams.

For one database: the pages and streams of a tournament of each size. Clients have processes of their own; what changes
a page is told over the broker as the product tells it, and results are posted over HTTP as phones post them.
"""

from collections.abc import Callable

from deploy.bench.grounds import Ground
from deploy.bench.reading.marks import Figure, Sizes
from deploy.bench.reading.pages import pages_of
from deploy.bench.reading.stand import Stand
from deploy.bench.reading.streams import streams_of

Say = Callable[[str], None]


def reading(ground: Ground, sizes: Sizes, say: Say) -> dict[str, Figure]:
    """Figures by what they are of: milliseconds, unless the name says what else. Linux tells memory; others nothing.

    Numbers a second are of as many tenths of a second as were counted.
    """
    told: dict[str, Figure] = {}
    with ground.parts.database():
        for entries in sizes.entries:
            say(f"public pages of {entries} entries")
            told |= pages_of(Stand.of(ground, entries), sizes)
        say(f"{sizes.streams} live streams")
        entries = 2
        while entries < 2 * sizes.results:
            entries *= 2
        told |= streams_of(Stand.of(ground, entries), sizes)
    return told
