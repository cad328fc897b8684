"""What the headers of a text record say of the rules it was played by."""

from rules.record.model import Stated
from rules.record.notes import Notes, shortened

Tags = tuple[tuple[str, str], ...]

_STAKE_PLAY_AS = ("galaxy", 16)
"""A site that writes stake play as a match of this length."""


def stated(tags: Tags, length: int | None) -> Stated:
    """The rules that are named; those of stake play say nothing in a match, and the other way round."""
    known = _known(tags)
    if length is not None:
        return Stated(crawford=_switch(known.get("crawford")))
    beavers = _switch(known.get("beaver", known.get("beavers")))
    return Stated(
        jacoby=_switch(known.get("jacoby")),
        beavers=None if beavers is None else int(beavers),
    )


def report_variation(notes: Notes, tags: Tags, length: int | None) -> None:
    """Another game than backgammon, or a match that may have been none."""
    known = _known(tags)
    variation = known.get("variation", "")
    if variation.strip().lower() not in ("", "backgammon", "standard"):
        notes.report("other_variation", variation=shortened(variation))
    site, stake_play = _STAKE_PLAY_AS
    if length == stake_play and site in known.get("site", "").lower():
        notes.report("may_be_stake_play", length=length)


def _known(tags: Tags) -> dict[str, str]:
    return {key.lower(): value for key, value in tags}


def _switch(value: str | None) -> bool | None:
    return {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}.get(
        (value or "").strip().lower()
    )
