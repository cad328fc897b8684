"""Each statement in SQL answers the same as its query set."""

import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tests.tournament import stories
from tournament import sql
from tournament.access.actors import SYSTEM
from tournament.accounts import links
from tournament.models import Bracket, Call, Entry, Event, Pairing, PersonalLink, Result, Table, Tournament
from tournament.results import desk
from tournament.room import calls, tables
from tournament.runtime.token_digest import digest

pytestmark = pytest.mark.django_db


def values(rows) -> list[dict[str, object]]:
    """Every field of these rows: equal ids do not make equal rows."""
    return [
        {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        for row in sorted(rows, key=lambda row: str(row.pk))
    ]


@pytest.fixture
def tournament() -> Tournament:
    return stories.released(stories.director(), 4)


def open_link_by_query_set(token: str) -> PersonalLink | None:
    links_of_token = PersonalLink.objects.filter(
        digest=digest(token),
        approved_at__isnull=False,
        revoked_at__isnull=True,
        entry__tournament__event__closed_at__isnull=True,
        entry__tournament__event__deleted_at__isnull=True,
        entry__tournament__deleted_at__isnull=True,
    )
    return links_of_token.first()


@pytest.mark.parametrize("field", ["", "approved_at", "revoked_at", "closed_at", "deleted_at"])
def test_an_open_link_is_that_of_the_query_set(tournament, field):
    entry = tournament.entries.first()
    (token,) = links.make_links([entry], SYSTEM).values()
    if field in ("closed_at", "deleted_at"):
        Event.objects.update(**{field: timezone.now()})
    elif field:
        PersonalLink.objects.update(**{field: None if field == "approved_at" else timezone.now()})
    link, expected = sql.open_link(digest(token)), open_link_by_query_set(token)
    assert (link is not None) == (field == "")
    assert values([link] if link else []) == values([expected] if expected else [])
    assert sql.open_link(digest("another")) is None


def test_entries_of_a_player_are_those_of_the_query_set(tournament):
    entry, second = tournament.entries.all()[:2]
    again = Entry.objects.create(
        tournament=tournament, player=entry.player, number=2, entered_at=timezone.now() + timedelta(hours=1)
    )
    entries = Entry.objects.filter(tournament=tournament, player=entry.player).order_by("-number")
    for row in (entry, again):
        assert sql.entries_of_player(row.pk) == list(entries) == [again, entry]
        assert values(sql.entries_of_player(row.pk)) == values(entries)
    assert sql.entries_of_player(second.pk) == [second]


def test_the_tournament_of_a_waiting_result_is_that_of_the_query_set(tournament):
    pairing = stories.playable(tournament)[0]
    desk.award(pairing, pairing.left_id, "walkover", "", SYSTEM)
    waiting = Result.objects.filter(pairing=pairing, advanced_at__isnull=True)
    (expected,) = waiting.values_list("pairing__round__bracket__tournament", flat=True)
    result = Result.objects.get()
    assert sql.tournament_of_waiting_result(result.pk) == expected == tournament.pk
    waiting.update(advanced_at=timezone.now())
    assert sql.tournament_of_waiting_result(result.pk) is None


def test_a_locked_tournament_is_that_of_the_query_set(tournament):
    stories.released(stories.director(), 4)
    with transaction.atomic():
        locked = sql.lock_tournament(tournament.pk)
        assert sql.lock_tournament(uuid.uuid4()) is None
    assert locked is not None
    assert values([locked]) == values(Tournament.objects.filter(pk=tournament.pk))


def test_current_results_are_those_of_the_query_set(tournament):
    first, second = stories.playable(tournament)
    for pairing in (first, second):
        desk.award(pairing, pairing.left_id, "walkover", "", SYSTEM)
    desk.retract(first, "Not played", SYSTEM)
    ids = [first.pk, second.pk, Pairing.objects.latest("pk").pk]
    results = Result.objects.filter(pairing__in=ids, superseded_by__isnull=True)
    assert values(sql.current_results(ids)) == values(results)
    assert [str(result.kind) for result in sql.current_results([first.pk])] == ["retracted"]


def test_current_calls_are_those_of_the_query_set(tournament):
    tables.add(tournament.event_id, "1-2", SYSTEM)
    first, second = stories.playable(tournament)
    for pairing, table in zip((first, second), Table.objects.all(), strict=True):
        calls.call(pairing.pk, table.pk, SYSTEM)
    calls.take_back(Call.objects.get(pairing=first).pk, SYSTEM)
    ids = [first.match_id, second.match_id]
    rows = Call.objects.filter(match__in=ids, ended_at__isnull=True)
    assert len(rows) == 1
    assert values(sql.current_calls(ids)) == values(rows)


def test_versions_are_raised_like_those_of_the_query_set(tournament):
    second_tournament = stories.released(stories.director(), 4)
    brackets = Bracket.objects.filter(tournament=tournament)
    expected = dict(brackets.annotate(raised=F("version") + 1).values_list("pk", "raised"))
    elsewhere = values(second_tournament.brackets.all())
    ids = [*expected, *second_tournament.brackets.values_list("pk", flat=True)]
    assert sql.raise_versions(tournament.pk, ids) == {
        pk: sql.RaisedVersion(version, is_released=True) for pk, version in expected.items()
    }
    assert dict(brackets.values_list("pk", "version")) == expected
    assert values(second_tournament.brackets.all()) == elsewhere
