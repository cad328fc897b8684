"""Compiled writes store the same as `save`, on both databases."""

import uuid

import pytest
from django.db import DatabaseError
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, RowKind
from matches.statements import CompiledQuery, RowInsert, RowUpdate
from matches.values import query_values
from rules.score import Ending, Side, Win

pytestmark = pytest.mark.django_db
LEFT = Keeper.LEFT.value


def a_row(card: Card, number: int) -> CardRow:
    return CardRow(
        key=uuid.uuid4(),
        card=card,
        number=number,
        predecessor=uuid.uuid4(),
        kind=RowKind.GAME,
        winner=Side.LEFT,
        win=Win.GAMMON,
        ending=Ending.PLAYED,
        written_by=LEFT,
        written_at=timezone.now(),
    )


def everything(row: CardRow) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in CardRow._meta.local_concrete_fields}


def test_a_written_row_reads_back_the_same(seven_points):
    card = Card.objects.create(match=seven_points, keeper=LEFT, tail=seven_points.pk)
    row = a_row(card, 1)
    RowInsert(CardRow).write(row)
    assert everything(CardRow.objects.get()) == everything(row)
    row.delete()
    assert not CardRow.objects.exists()


def test_only_the_named_fields_are_written(seven_points):
    seven_points.left_points, seven_points.winner, seven_points.began_at = 7, "left", timezone.now()
    RowUpdate(Match, ["left_points", "began_at"]).write(seven_points)
    stored = Match.objects.get()
    assert (stored.left_points, stored.winner, stored.began_at) == (7, "", seven_points.began_at)


def test_updating_a_deleted_match_raises(seven_points):
    Match.objects.all().delete()
    with pytest.raises(DatabaseError, match="no Match"):
        RowUpdate(Match, ["version"]).write(seven_points)


def test_query_values_equal_those_of_the_query_set(seven_points):
    """Ids that stand in many rows, in columns of two kinds, beside what is unknown, true, or a time."""
    card = Card.objects.create(match=seven_points, keeper=LEFT, tail=seven_points.pk)
    rows = [a_row(card, number) for number in (1, 2, 3)]
    for row in rows:
        RowInsert(CardRow).write(row)
    late = Q(number__gt=1)
    asked = CardRow.objects.annotate(is_late=ExpressionWrapper(late, BooleanField())).order_by("number")
    query = asked.values_list(
        "key",
        "is_late",
        "card_id",
        "card__match",
        "written_at",
        "supersedes_id",
        "mid_game",
        "card__match__began_at",
    )
    assert query_values(query) == list(query)
    assert [(row[0], row[1], row[2]) for row in query_values(query)] == [
        (row.key, row.number > 1, card.pk) for row in rows
    ]
    assert query_values(query.none()) == []
    assert query_values(query.filter(number=9)) == []


def test_a_compiled_values_query_runs_again_for_another_card(seven_points):
    cards = [
        Card.objects.create(match=seven_points, keeper=keeper, tail=seven_points.pk)
        for keeper in (LEFT, Keeper.RIGHT.value)
    ]
    for card in cards:
        RowInsert(CardRow).write(a_row(card, 1))
    asked: CompiledQuery = CompiledQuery(
        lambda card: CardRow.objects.filter(card=card).values_list("key", "card_id")
    )
    for card in cards:
        assert asked.all(card.pk) == [(CardRow.objects.get(card=card).key, card.pk)]
    assert asked.first(uuid.uuid4()) is None


def test_many_rows_are_written_one_short_statement_after_another(seven_points):
    cards = [
        Card.objects.create(match=seven_points, keeper=keeper, tail=seven_points.pk)
        for keeper in (LEFT, Keeper.RIGHT.value)
    ]
    for points, card in enumerate(cards, start=3):
        card.left_points, card.right_points = points, 9
    write = RowUpdate(Card, ["left_points"])
    write.write_all(cards)
    write.write_all([])
    stored = {card.pk: (card.left_points, card.right_points) for card in Card.objects.all()}
    assert stored == {cards[0].pk: (3, 0), cards[1].pk: (4, 0)}
    Card.objects.filter(pk=cards[0].pk).delete()
    with pytest.raises(DatabaseError, match="not every Card"):
        write.write_all(cards)
