"""Each statement in SQL answers the same as its query set."""

import uuid

import pytest
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone

from matches import scorecard, sql
from matches.keepers import Keeper
from matches.locking import lock_match, lock_matches
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.scorecard import Opening
from rules.score import Ending
from tests.matches.conftest import RULES, CardWriter

pytestmark = pytest.mark.django_db


def values(rows) -> list[dict[str, object]]:
    """Every field of these rows: equal ids do not make equal rows."""
    return [
        {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields} for row in rows
    ]


@pytest.fixture
def played() -> list[Match]:
    """Two matches with two cards each, and one without a card."""
    matches = scorecard.open_matches(
        [Opening(uuid.uuid4(), uuid.uuid4(), length, RULES) for length in (7, None, 3)]
    )
    for match in matches[:2]:
        writer = CardWriter(match)
        for keeper in (Keeper.LEFT, Keeper.RIGHT):
            writer.game(keeper)
            writer.game(keeper, "right")
    return matches


def test_locked_matches_are_those_of_the_query_set(played):
    ids = [match.pk for match in played[1:]]
    with transaction.atomic():
        locked = list(sql.locked_matches(ids))
    assert values(locked) == values(Match.objects.filter(pk__in=ids).order_by("pk"))


def test_cards_are_those_of_the_query_set(played):
    ids = [match.pk for match in played[:2]]
    cards = sorted(sql.cards_of_matches(ids), key=lambda card: card.pk)
    assert len(cards) == 4
    assert values(cards) == values(sorted(Card.objects.filter(match__in=ids), key=lambda card: card.pk))


def test_rows_are_those_of_the_query_set(played):
    card, second_card = played[0].cards.all()
    key = second_card.rows.get(number=2).key
    rows = CardRow.objects.filter(Q(card=card) | Q(key=key)).order_by("number", "card")
    selected = sorted(sql.rows_of_card_or_key(card.pk, key), key=lambda row: (row.number, row.card_id))
    assert len(selected) == 3
    assert values(selected) == values(sorted(rows, key=lambda row: (row.number, row.card_id)))


def test_an_inserted_row_is_that_of_save(played):
    rows = [
        CardRow(card=played[2].cards.create(keeper="left", tail=played[2].pk), number=1),
        CardRow(card=played[0].cards.first(), number=3, supersedes=CardRow.objects.first()),
    ]
    for row in rows:
        row.key, row.predecessor, row.kind = uuid.uuid4(), uuid.uuid4(), RowKind.GAME
        row.winner, row.win, row.ending = "left", 2, Ending.PLAYED
        row.written_by, row.written_at = Keeper.LEFT, timezone.now()
        sql.insert_row(row)
        stored = values([CardRow.objects.get(pk=row.key)])
        assert stored == values([row])
        CardRow.objects.filter(pk=row.key).delete()
        row.save(force_insert=True)
        assert values([CardRow.objects.get(pk=row.key)]) == stored


def test_updated_totals_are_those_of_save(played):
    match, card = played[0], played[0].cards.first()
    match.state, match.reported_by, match.version = MatchState.REPORTED, Keeper.LEFT, 9
    match.reported_at, match.began_at, match.winner = timezone.now(), None, "right"
    card.tail, card.left_points, card.winner, card.is_crawford = uuid.uuid4(), 4, "left", True
    sql.update_match_totals(match)
    sql.update_card_totals(card)
    stored = values([Match.objects.get(pk=match.pk)]) + values([Card.objects.get(pk=card.pk)])
    assert stored == values([match, card])
    match.save()
    card.save()
    assert values([Match.objects.get(pk=match.pk)]) + values([Card.objects.get(pk=card.pk)]) == stored


def test_totals_of_a_missing_match_are_not_written_silently(played):
    played[2].delete()
    with pytest.raises(DatabaseError, match="gone"):
        sql.update_match_totals(Match(pk=uuid.uuid4(), length=3, ruleset={}))


def test_a_locked_match_carries_its_cards(played):
    with transaction.atomic():
        locked = lock_matches([*(match.pk for match in played), None, uuid.uuid4()])
    assert {pk: set(match.cards) for pk, match in locked.items()} == {
        played[0].pk: {Keeper.LEFT, Keeper.RIGHT},
        played[1].pk: {Keeper.LEFT, Keeper.RIGHT},
        played[2].pk: set(),
    }
    assert all(card.match is match.match for match in locked.values() for card in match.cards.values())


def test_locking_a_missing_match_raises(db):
    with pytest.raises(Match.DoesNotExist), transaction.atomic():
        lock_match(uuid.uuid4())
    assert lock_matches([]) == {}
