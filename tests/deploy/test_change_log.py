"""The change log bounds what it remembers."""

from deploy import change_log
from deploy.change_log import ChangeLog


def test_forgotten_channels_count_as_changed_later(monkeypatch):
    monkeypatch.setattr(change_log, "MAX_REMEMBERED", 3)
    changes = ChangeLog()
    for channel in ("first", "second", "third", "first", "fourth", "fifth"):
        changes.record(channel)
    assert [changes.last_change(channel) for channel in ("first", "fourth", "fifth")] == [4, 5, 6]
    assert [changes.last_change(channel) for channel in ("second", "third", "unknown")] == [3, 3, 3]


def test_after_a_reconnect_every_channel_counts_as_changed():
    changes = ChangeLog()
    changes.record("main")
    changes.record_everything()
    assert changes.last_change("main") == changes.last_change("unknown") == changes.count == 2
