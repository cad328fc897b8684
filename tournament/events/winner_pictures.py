"""Stores, removes and restores pictures of winners."""

import hashlib
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Player, Tournament, WinnerPicture
from tournament.refusals.pictures import PERMISSION_NEEDED
from tournament.results.photos import photo_as_jpeg
from tournament.runtime import storage_quota
from tournament.runtime.errors import NotFound, Refused

RETENTION = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class PictureUpload:
    """A file and what it shows. `entries` are the winners of the bracket; `bracket` is empty for the tournament."""

    bracket: str
    file: bytes
    description: str
    entries: Collection[uuid.UUID]
    is_permitted: bool


def store_picture(tournament_id: uuid.UUID, upload: PictureUpload, actor: Actor) -> WinnerPicture:
    """Replaces the picture of these winners. The earlier one can be restored.

    Raises Refused without the permission of the winners, if the file is no picture, and if the event is full.
    """
    if not upload.is_permitted:
        raise Refused(PERMISSION_NEEDED)
    jpeg = photo_as_jpeg(upload.file)
    with advancing.lock_tournament(tournament_id) as locked:
        storage_quota.refuse_beyond_limit(locked.tournament.event, len(jpeg))
        _delete_current(locked.tournament, upload.bracket)
        picture = WinnerPicture.objects.create(
            tournament=locked.tournament,
            bracket=upload.bracket,
            photo=jpeg,
            size=len(jpeg),
            sha256=hashlib.sha256(jpeg).hexdigest(),
            description=upload.description,
            uploaded_by=actor.user,
            uploaded_at=timezone.now(),
        )
        entries = Entry.objects.filter(tournament=locked.tournament, pk__in=upload.entries)
        picture.players.set(Player.objects.filter(entries__in=entries))
        _write_journal("add winner picture", picture, actor)
        return picture


def remove_picture(tournament_id: uuid.UUID, picture_id: uuid.UUID, actor: Actor) -> None:
    """Hides a picture for 30 days, then the cleanup deletes it. Idempotent. Raises NotFound."""
    with advancing.lock_tournament(tournament_id) as locked:
        picture = _find(locked.tournament, picture_id)
        if picture.deleted_at is None:
            picture.deleted_at = timezone.now()
            picture.save(update_fields=["deleted_at"])
            _write_journal("remove winner picture", picture, actor)


def restore_picture(tournament_id: uuid.UUID, picture_id: uuid.UUID, actor: Actor) -> None:
    """Shows a removed picture again, in place of a later one. Idempotent. Raises NotFound."""
    with advancing.lock_tournament(tournament_id) as locked:
        picture = _find(locked.tournament, picture_id)
        if picture.deleted_at is not None:
            _delete_current(locked.tournament, picture.bracket)
            picture.deleted_at = None
            picture.save(update_fields=["deleted_at"])
            _write_journal("restore winner picture", picture, actor)


def delete_expired() -> None:
    """Deletes pictures that were removed 30 days ago. Idempotent."""
    expired = WinnerPicture.objects.filter(deleted_at__lt=timezone.now() - RETENTION)
    for tournament_id in sorted(set(expired.values_list("tournament_id", flat=True))):
        with advancing.lock_tournament(tournament_id):
            expired.filter(tournament=tournament_id).delete()


def _find(tournament: Tournament, picture_id: uuid.UUID) -> WinnerPicture:
    picture = WinnerPicture.objects.defer("photo").filter(tournament=tournament, pk=picture_id).first()
    if picture is None:
        raise NotFound
    return picture


def _delete_current(tournament: Tournament, bracket: str) -> None:
    current = WinnerPicture.objects.filter(tournament=tournament, bracket=bracket, deleted_at__isnull=True)
    current.update(deleted_at=timezone.now())


def _write_journal(verb: str, picture: WinnerPicture, actor: Actor) -> None:
    after = {"bracket": picture.bracket or "main", "size": picture.size}
    journal.write(picture.tournament, actor, JournalEntry(verb, "picture", picture.pk, after=after))
