"""Counts the changes that a web process heard of, so that the response cache knows which responses are out of date."""

from collections import OrderedDict

MAX_REMEMBERED = 10_000


class ChangeLog:
    """The number of changes so far, and the number of each channel's last change.

    `is_complete` is False while changes can be missed. Then a response of any age can be out of date.
    """

    def __init__(self) -> None:
        self.count = 0
        self.is_complete = False
        self._last_changes: OrderedDict[str, int] = OrderedDict()
        self._forgotten = 0

    def record(self, channel: str) -> None:
        self.count += 1
        self._last_changes[channel] = self.count
        self._last_changes.move_to_end(channel)
        if len(self._last_changes) > MAX_REMEMBERED:
            _, self._forgotten = self._last_changes.popitem(last=False)

    def record_everything(self) -> None:
        """Treats every channel as changed."""
        self.count += 1
        self._last_changes.clear()
        self._forgotten = self.count

    def last_change(self, channel: str) -> int:
        """Returns the number of the channel's last change. For a forgotten channel it may be too high."""
        return self._last_changes.get(channel, self._forgotten)
