"""The versions of brackets: what changed has a new one, told in the statement that gives it. Takes no lock."""

import uuid
from collections.abc import Sequence

from django.db import connection

from tournament.models import Bracket

_raised = """
UPDATE tournament_bracket SET version = version + 1 WHERE tournament_id = %s AND id IN ({}) RETURNING id, version
"""


def raised(tournament_id: uuid.UUID, brackets: Sequence[uuid.UUID]) -> dict[uuid.UUID, int]:
    """The new versions of these brackets of one tournament, whose lock is held."""
    if not brackets:
        return {}
    key = Bracket._meta.pk
    asked = [key.get_db_prep_value(pk, connection) for pk in (tournament_id, *brackets)]
    with connection.cursor() as cursor:
        cursor.execute(_raised.format(", ".join(["%s"] * len(brackets))), asked)
        return {key.to_python(pk): version for pk, version in cursor.fetchall()}
