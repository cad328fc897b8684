"""What is written by prepared statements is what `save` would have written, on either database."""

import uuid

import pytest
from django.db import DatabaseError
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, RowKind
from matches.statements import Insertion, Update
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


def test_a_row_reads_back_as_it_was_written(seven_points):
    card = Card.objects.create(match=seven_points, keeper=LEFT, tail=seven_points.pk)
    row = a_row(card, 1)
    Insertion(CardRow).write(row)
    assert everything(CardRow.objects.get()) == everything(row)
    row.delete()
    assert not CardRow.objects.exists()


def test_only_the_named_fields_are_written(seven_points):
    seven_points.left_points, seven_points.winner, seven_points.began_at = 7, "left", timezone.now()
    Update(Match, ["left_points", "began_at"]).write(seven_points)
    stored = Match.objects.get()
    assert (stored.left_points, stored.winner, stored.began_at) == (7, "", seven_points.began_at)


def test_writing_on_a_match_that_is_gone_is_no_success(seven_points):
    Match.objects.all().delete()
    with pytest.raises(DatabaseError, match="no Match"):
        Update(Match, ["version"]).write(seven_points)
