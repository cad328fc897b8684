"""Conditions of the tournaments that lists of an event include. `path` leads to the tournament, such as "tournament".

Joins do not use the manager of the joined model, so queries over several tournaments need these conditions. Reads only.
"""

from django.db.models import Q

from tournament.models import Visibility


def is_current(path: str = "") -> Q:
    """Neither in the bin nor in the archive."""
    prefix = f"{path}__" if path else ""
    return Q(**{f"{prefix}deleted_at__isnull": True, f"{prefix}archived_at__isnull": True})


def is_listed(path: str = "") -> Q:
    """Current, and public within its event."""
    prefix = f"{path}__" if path else ""
    return is_current(path) & Q(**{f"{prefix}visibility": Visibility.PUBLIC})
