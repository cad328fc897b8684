"""Reads the rules that the headers of a text record state."""

from rules.record.model import StatedRules
from rules.record.notes import Notes, shorten

Tags = tuple[tuple[str, str], ...]

_STAKE_PLAY_AS = ("galaxy", 16)
"""A site that writes stake play as a match of this length."""


def stated_rules(tags: Tags, length: int | None) -> StatedRules:
    """The rules that are named. Rules of stake play are ignored in a match, and the reverse."""
    values = _values_by_key(tags)
    if length is not None:
        return StatedRules(crawford=_switch(values.get("crawford")))
    beavers = _switch(values.get("beaver", values.get("beavers")))
    return StatedRules(
        jacoby=_switch(values.get("jacoby")),
        beavers=None if beavers is None else int(beavers),
    )


def report_variation(notes: Notes, tags: Tags, length: int | None) -> None:
    """Reports a game other than backgammon, and a match that may be stake play."""
    values = _values_by_key(tags)
    variation = values.get("variation", "")
    if variation.strip().lower() not in ("", "backgammon", "standard"):
        notes.report("other_variation", variation=shorten(variation))
    site, stake_play = _STAKE_PLAY_AS
    if length == stake_play and site in values.get("site", "").lower():
        notes.report("may_be_stake_play", length=length)


def _values_by_key(tags: Tags) -> dict[str, str]:
    return {key.lower(): value for key, value in tags}


def _switch(value: str | None) -> bool | None:
    return {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}.get(
        (value or "").strip().lower()
    )
