"""Live parts of public pages, kept in memory once they are made: many ask for the same one at the same moment.

What is kept is called by everything that it depends on, so it is never out of date, only no longer asked for. Whoever
asks for what is being made waits for it instead of making it again.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

MOST_KEPT = 256

_kept: OrderedDict[Hashable, str] = OrderedDict()
_being_made: dict[Hashable, Lock] = {}
_alone = Lock()


def kept(name: Hashable, make: Callable[[], str]) -> str:
    """What goes by this name, made now if nobody made it before."""
    found = _found(name)
    if found is not None:
        return found
    with _alone:
        maker = _being_made.setdefault(name, Lock())
    with maker:
        found = _found(name)
        if found is not None:
            return found
        try:
            return _keep(name, make())
        finally:
            with _alone:
                _being_made.pop(name, None)


def _found(name: Hashable) -> str | None:
    with _alone:
        if name not in _kept:
            return None
        _kept.move_to_end(name)
        return _kept[name]


def _keep(name: Hashable, made: str) -> str:
    with _alone:
        _kept[name] = made
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made
