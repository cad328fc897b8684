"""Brackets that share one list of places. Pure."""

RANKED_TOGETHER, RANKED_ABOVE = ("main", "third place", "lower"), ("final",)
"""Brackets whose players share one list of places, and brackets that rank above the others in it."""
GROUP, PLAY_OFF = "group ", "play-off"


def family_of(bracket: str) -> str:
    """Returns the key that names the list of places of this bracket."""
    return RANKED_TOGETHER[0] if bracket in (*RANKED_TOGETHER, *RANKED_ABOVE) else bracket
