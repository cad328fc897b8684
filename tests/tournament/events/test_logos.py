"""The logo of an event: uploaded, shown to everybody who sees the event, replaced, removed and restored."""

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
from tournament.events import copying, logos, recycle_bin, setup
from tournament.models import Event, EventLogo
from tournament.runtime import storage_quota
from tournament.runtime.errors import NotFound
from tournament.screens.display_links import create_display
from tournament.screens.plan import Plan

pytestmark = pytest.mark.django_db


def logo_file(size: tuple[int, int] = (1000, 500)) -> SimpleUploadedFile:
    return SimpleUploadedFile("club.png", image_file("PNG", size))


def test_a_director_uploads_a_logo_that_everybody_sees_and_removes_it_with_undo(actor):
    made = stories.released(actor, 4)
    slug = made.event.slug
    _screen, token = create_display(made.event, "Bar", Plan(), actor)
    browser, anybody = Browser(actor.user), Browser()
    browser.open("event-edit", slug).press("Save the logo", photo=logo_file())
    logo = EventLogo.objects.get()
    address = f"/e/{slug}/logo/{logo.pk}/"
    places = [
        anybody.open("event", slug).text,
        anybody.open("bracket-print", *at(made)).text,
        browser.open("poster-print", slug).text,
        browser.open("score-cards", *at(made)).text,
    ]
    assert [address in text for text in places] == [True] * 4
    assert f"/d/{token}/logo/{logo.pk}/" in anybody.open("screen", token).text
    files = [anybody.client.get(address), anybody.client.get(f"/d/{token}/logo/{logo.pk}/")]
    assert [Image.open(BytesIO(file.content)).size for file in files] == [(800, 400)] * 2
    browser.open("event-edit", slug).press("Remove the logo")
    assert address not in anybody.open("event", slug).text
    assert anybody.client.get(address).status_code == 404
    browser.press("Undo")
    assert address in anybody.open("event", slug).text
    browser.press("Replace the logo", photo=SimpleUploadedFile("club.png", b"no picture"))
    assert browser.says("not a picture that can be read")
    outdated = browser.client.get(f"/e/{slug}/edit/")
    browser.press("Replace the logo", photo=logo_file((80, 40)))
    newest = Event.objects.get(pk=made.event_id).logo_id
    removal = f"/e/{slug}/edit/logo/{logo.pk}/remove/"
    assert removal in outdated.content.decode()
    assert "was replaced" in browser.client.post(removal, follow=True).content.decode()
    assert Event.objects.get(pk=made.event_id).logo_id == newest
    for _ in range(61):  # more than wrong links from one network may be opened
        assert anybody.client.get(f"/d/{token}/logo/{logo.pk}/").status_code == 404
    browser.press("Undo")
    assert address in anybody.open("event", slug).text


def test_a_logo_is_copied_with_its_event_and_deleted_with_it(actor):
    event = stories.event(actor)
    old = logos.store_logo(event, image_file(), actor)
    logos.store_logo(event, image_file("WEBP"), actor)
    copy = copying.copy_event(Event.objects.get(pk=event.pk), setup.EventPlan("Next", event.starts_on), actor)
    assert EventLogo.objects.filter(event=copy, pk=copy.logo_id).exists()
    assert storage_quota.used_bytes(event) == sum(event.logos.values_list("size", flat=True))
    with pytest.raises(NotFound):
        logos.restore_logo(copy, old.pk, actor)
    event.logos.filter(pk=old.pk).update(removed_at=timezone.now() - timedelta(days=31))
    logos.delete_expired()
    assert event.logos.count() == 1
    recycle_bin.delete_event(event, actor)
    recycle_bin.remove_event(event)
    assert list(EventLogo.objects.values_list("event", flat=True)) == [copy.pk]
