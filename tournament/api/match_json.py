"""Serializes matches for the API."""

from typing import Any

from matches.models import Match


def match_json(match: Match) -> dict[str, Any]:
    return {
        "id": match.pk,
        "state": match.state,
        "version": match.version,
        "length": match.length,
        "games": match.games,
        "left": match.left_points,
        "right": match.right_points,
        "is_crawford": match.is_crawford,
        "winner": match.winner or None,
        "reported_by": match.reported_by or None,
    }
