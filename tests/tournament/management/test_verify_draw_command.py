"""`manage.py verify_draw`: its output and its exit codes."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.tournament import stories
from tournament.draw.public_draw.document import entrant_to_json, rules_to_json
from tournament.draw.public_draw.proof_version_1 import entries_hash, secret_hash, seed_text
from tournament.draw.public_draw.verification import verify
from tournament.draw.recipes import Entrant, OrderRules
from tournament.drawing import draws, swaps
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Draw, Entry, Feed
from tournament.queries.draws.documents import published_document
from tournament.runtime.errors import Refused

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "example_draw.json"
SECRET, DICE = "0123456789abcdef" * 4, "31 52 66"


def verify_draw(name: object, *options: str) -> str:
    output = StringIO()
    call_command("verify_draw", str(name), *options, stdout=output)
    return output.getvalue()


def test_a_draw_as_published():
    output = verify_draw(EXAMPLE)
    assert "as published" in output
    assert json.loads(EXAMPLE.read_text())["secret_hash"] in output


def test_a_draw_that_was_changed_afterwards(tmp_path):
    document = json.loads(EXAMPLE.read_text())
    order = document["order"]
    order[4], order[11] = order[11], order[4]
    (tmp_path / "draw.json").write_text(json.dumps(document))
    with pytest.raises(
        CommandError, match=r"Position 5: drawn Ana Kovač \(01\), published Chiara"
    ) as refused:
        verify_draw(tmp_path / "draw.json")
    assert refused.value.returncode == 1


@pytest.mark.parametrize("text", ["{", "[]", "\ud800"])
def test_a_file_that_is_no_draw(tmp_path, text):
    (tmp_path / "draw.json").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(CommandError, match=r"cannot be read|not a draw document") as refused:
        verify_draw(tmp_path / "draw.json")
    assert refused.value.returncode == 2


def test_a_file_that_is_not_there(db, tmp_path):
    with pytest.raises(CommandError, match="is neither a file") as refused:
        verify_draw(tmp_path / "missing.json")
    assert refused.value.returncode == 2


@pytest.fixture
def public_draw(db):
    """A draw of six, made from a secret and dice; the first two are seeded."""
    made = stories.entered(stories.director(), 6, seeded=True)
    Entry.objects.filter(tournament=made, seed__gt=2).update(seed=None)
    entries = Entry.objects.filter(tournament=made).order_by("entered_at", "pk")
    field = [Entrant(str(entry.pk), entry.seed, "Adria", "CRO") for entry in entries]
    text = seed_text(SECRET, DICE, entries_hash(field, OrderRules()), 1)
    draw = draws.make(made.pk, draws.DrawPlan("seeded", seed_text=text), stories.director())
    draw.secret, draw.secret_hash, draw.public_dice = SECRET, secret_hash(SECRET), DICE
    draw.entries_hash = entries_hash(field, OrderRules())
    draw.rules = rules_to_json(OrderRules()) | {"entries": [entrant_to_json(entrant) for entrant in field]}
    draw.released_at = timezone.now()
    draw.save()
    return draw


def address(draw: Draw) -> str:
    return f"{draw.tournament.event.slug}/{draw.tournament.slug}"


def give_seat(feed: Feed, entry: Entry | None, reason: str) -> None:
    feed.changes.create(kind="swap", before=feed.entry, after=entry, reason=reason, at=timezone.now())
    Feed.objects.filter(pk=feed.pk).update(entry=entry)


def shown(draw: Draw) -> dict[str, Any]:
    document = published_document(draw)
    assert document is not None
    return document


def seat(draw: Draw, position: int) -> Feed:
    return Feed.objects.get(entry_id=draw.order[position - 1])


def test_a_draw_kept_here(public_draw):
    output = verify_draw(address(public_draw))
    assert "Draw 1" in output
    assert public_draw.secret_hash in output


def test_a_draw_that_is_hidden_is_verified_only_where_that_is_asked_for(public_draw):
    Draw.objects.filter(pk=public_draw.pk).update(released_at=None)
    with pytest.raises(CommandError, match="is not released") as refused:
        verify_draw(address(public_draw))
    assert refused.value.returncode == 2
    assert "as published" in verify_draw(address(public_draw), "--unreleased")


def test_a_swap_with_a_reason_is_part_of_what_is_published(public_draw):
    first, second = seat(public_draw, 4), seat(public_draw, 5)
    first_entry, second_entry = first.entry, second.entry
    give_seat(first, second_entry, "both asked")
    give_seat(second, first_entry, "both asked")
    assert [change["position"] for change in shown(public_draw)["changes"]] == [4, 5]
    assert "as published" in verify_draw(address(public_draw))


def test_a_late_entry_takes_the_seat_of_a_bye(public_draw):
    bye = Feed.objects.get(target=seat(public_draw, 1).target, entry=None, source=None)
    card = EntryDetails(PlayerDetails("Zoë"))
    late = late_entry.enter(
        public_draw.tournament_id, LateEntryRequest(card, bye.pk), stories.director("desk")
    )
    document = shown(public_draw)
    assert document["seated"][7] == str(late.pk)
    assert verify(document) == []


def test_seats_are_swapped_with_a_reason_alone_once_the_dice_are_thrown(public_draw):
    Draw.objects.filter(pk=public_draw.pk).update(released_at=None)
    first, second = seat(public_draw, 3), seat(public_draw, 4)
    swap = Swap(first.pk, second.pk, (first.entry_id, second.entry_id))
    actor = stories.director("desk")
    with pytest.raises(Refused, match="Write a reason"):
        swaps.swap(public_draw.tournament_id, swap, actor)
    swaps.swap(public_draw.tournament_id, swap, actor, "They came in one car")
    assert verify(shown(public_draw)) == []


def test_seats_exchanged_behind_the_program_are_found(public_draw):
    first, second = seat(public_draw, 4), seat(public_draw, 5)
    Feed.objects.filter(pk=first.pk).update(entry=second.entry)
    Feed.objects.filter(pk=second.pk).update(entry=first.entry)
    with pytest.raises(CommandError, match="Position 4 after the changes") as refused:
        verify_draw(address(public_draw))
    assert refused.value.returncode == 1


@pytest.mark.parametrize(
    ("field", "value"), [("secret_hash", "0" * 64), ("entries_hash", "0" * 64), ("public_dice", "11")]
)
def test_what_was_shown_is_what_is_kept(public_draw, field, value):
    Draw.objects.filter(pk=public_draw.pk).update(**{field: value})
    with pytest.raises(CommandError):
        verify_draw(address(public_draw))


def test_a_draw_without_a_secret_cannot_be_verified(db):
    made = stories.drawn(stories.director(), 4)
    draws.release(made.pk, stories.director())
    with pytest.raises(CommandError, match="nor a tournament drawn with a secret") as refused:
        verify_draw(f"{made.event.slug}/{made.slug}")
    assert refused.value.returncode == 2
