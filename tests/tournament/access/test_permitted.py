"""Every row of the access table: the last role with permission succeeds.

tests/tournament/translation asks the first role.
"""

import re

import pytest
from django.http import HttpResponseBase

from tests.tournament import stories
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, group_by_preparation, is_refused, world
from tests.tournament.access.world import EVERYBODY, ROLES, Row
from tournament.access.permissions import CAPABILITIES
from tournament.models import Role

__all__ = ["world"]

pytestmark = pytest.mark.django_db


def test_the_last_role_with_permission_succeeds_and_private_answers_are_not_cached(world):
    wrong = {}
    for ready, rows in group_by_preparation(TABLE):
        with stories.rolled_back():
            ready(world)
            for row in filter(lambda row: row.roles, rows):
                world.role = [role for role in ROLES if role in row.roles][-1]
                with stories.rolled_back():
                    answer = ask(world, row)
                    expected = row.status(world)
                if answer.status_code != expected or is_refused(answer):
                    wrong[world.role, str(row), *row.arguments(world)] = (
                        answer.status_code,
                        answer.content[-3000:],
                    )
                elif row.verb == "GET" and is_private(row) and is_cacheable(answer):
                    wrong[world.role, str(row)] = answer.headers
    assert wrong == {}


def is_private(row: Row) -> bool:
    return row.roles != EVERYBODY or row.name == "followed"


def is_cacheable(answer: HttpResponseBase) -> bool:
    directives = set(re.findall(r"[\w-]+", answer.headers.get("Cache-Control", "")))
    return "X-Live-Ids" in answer.headers or not {"private", "no-store"} & directives


def test_a_role_of_the_staff_may_do_what_a_lower_one_may():
    """So the roles between the first and the last of a row succeed too."""
    lower = [
        capabilities for role, capabilities in CAPABILITIES.items() if role not in {Role.OWNER, Role.DIRECTOR}
    ]
    assert CAPABILITIES[Role.OWNER] > CAPABILITIES[Role.DIRECTOR] >= frozenset().union(*lower)
