"""Pictures of winners: uploaded with permission, shown to everybody, removed and restored."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image

from tests.tournament import stories
from tests.tournament.images import image_file
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.entries import personal_data
from tournament.events import winner_pictures
from tournament.events.winner_pictures import PictureUpload
from tournament.models import Tournament, WinnerPicture
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor() -> Actor:
    return stories.director()


@pytest.fixture
def made(actor) -> Tournament:
    """Two players; the left one has won."""
    made = stories.released(actor, 2)
    stories.play(stories.playable(made)[0], actor)
    return made


def winner(made):
    return stories.pairings(made).get().winner


def upload(made, data=None, *, is_permitted=True):
    return PictureUpload("", data or image_file(), "Ana with the cup", [winner(made).pk], is_permitted)


def addresses(browser, made):
    places = [browser.open("results-page", *at(made)), browser.open("event", made.event.slug)]
    return ["Ana with the cup" in place.text for place in places]


def test_a_director_uploads_a_picture_that_everybody_sees_and_removes_it_with_undo(actor, made):
    browser, anybody = Browser(actor.user), Browser()
    assert not anybody.open("results-page", *at(made)).says("Add a picture")
    assert browser.open("results-page", *at(made)).says("Add a picture of the winners")
    browser.open("winner-picture", *at(made), "all")
    photo = SimpleUploadedFile("cup.png", image_file("PNG", (2400, 1200)))
    browser.press("Save the picture", photo=photo, description="Ana with the cup")
    assert browser.status == 422
    assert browser.says("then tick the box")
    photo.seek(0)
    browser.press("Save the picture", photo=photo, description="Ana with the cup", is_permitted="on")
    assert addresses(anybody, made) == [True, True]
    picture = WinnerPicture.objects.get()
    file = anybody.client.get(f"/e/{made.event.slug}/{made.slug}/results/picture/{picture.pk}/")
    stored = Image.open(BytesIO(file.content))
    assert (file["Content-Type"], stored.format, max(stored.size)) == ("image/jpeg", "JPEG", 1600)
    browser.open("winner-picture", *at(made), "all").press("Remove the picture")
    assert addresses(anybody, made) == [False, False]
    browser.press("Undo")
    assert addresses(anybody, made) == [True, True]


def test_a_new_picture_replaces_the_old_one_which_can_be_restored(actor, made):
    old = winner_pictures.store_picture(made.pk, upload(made), actor)
    new = winner_pictures.store_picture(made.pk, upload(made, image_file(size=(64, 48))), actor)
    shown = WinnerPicture.objects.filter(deleted_at__isnull=True)
    assert list(shown.values_list("pk", flat=True)) == [new.pk]
    winner_pictures.restore_picture(made.pk, old.pk, actor)
    assert list(shown.values_list("pk", flat=True)) == [old.pk]
    WinnerPicture.objects.filter(pk=new.pk).update(deleted_at=timezone.now() - timedelta(days=31))
    winner_pictures.delete_expired()
    assert WinnerPicture.objects.count() == 1


def test_a_picture_needs_permission_and_must_be_one(actor, made):
    for wrong in (upload(made, is_permitted=False), upload(made, b"no picture")):
        with pytest.raises(Refused):
            winner_pictures.store_picture(made.pk, wrong, actor)
    assert not WinnerPicture.objects.exists()


def test_a_picture_is_removed_with_the_personal_data_of_a_winner(actor, made):
    winner_pictures.store_picture(made.pk, upload(made), actor)
    loser = made.entries.exclude(pk=winner(made).pk).get().player
    personal_data.remove([loser], actor)
    assert WinnerPicture.objects.exists()
    personal_data.remove([winner(made).player], actor)
    assert not WinnerPicture.objects.exists()
