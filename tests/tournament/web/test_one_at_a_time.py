"""Expensive requests: one of a kind runs at a time for each account."""

import pytest
from django.contrib.auth.models import User

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.models import Entry, PersonalLink
from tournament.runtime.errors import Refused
from tournament.web.one_at_a_time import Work, one_at_a_time

pytestmark = pytest.mark.django_db
WAIT = "Wait until it is finished"


@pytest.fixture
def owner() -> Actor:
    return stories.director()


def test_an_account_runs_one_job_of_a_kind_at_a_time(owner):
    second_account = Actor(user=User.objects.create(username="other"))
    with one_at_a_time(owner, Work.IMPORT):
        with pytest.raises(Refused, match=WAIT), one_at_a_time(owner, Work.IMPORT):
            pass
        with one_at_a_time(second_account, Work.IMPORT), one_at_a_time(owner, Work.SLIPS):
            pass
    with one_at_a_time(owner, Work.IMPORT):
        pass


def test_a_failed_job_releases_its_slot(owner):
    with pytest.raises(ZeroDivisionError), one_at_a_time(owner, Work.IMPORT):
        raise ZeroDivisionError
    with one_at_a_time(owner, Work.IMPORT):
        pass


def test_a_concurrent_import_is_refused_and_keeps_the_list_in_the_form(owner):
    page = Browser(owner.user).open("entries-import", *at(stories.tournament(owner)))
    with one_at_a_time(owner, Work.IMPORT):
        page.press("Preview", text="Anna\nBo")
        assert page.says(WAIT)
        assert "Anna\nBo" in page.text
    page.press("Preview", text="Anna\nBo")
    with one_at_a_time(owner, Work.IMPORT):
        page.press("Import")
        assert page.says(WAIT)
    assert not Entry.objects.exists()


def test_slips_are_rendered_for_one_request_at_a_time(owner):
    page = Browser(owner.user).open("slips", *at(stories.released(owner, 4)))
    with one_at_a_time(owner, Work.SLIPS):
        assert page.press("Print slips", all="on").says(WAIT)
    assert not PersonalLink.objects.exists()


def test_what_if_is_computed_for_one_request_at_a_time(owner):
    made = stories.released(owner, 4)
    page = Browser(owner.user)
    with one_at_a_time(owner, Work.WHAT_IF):
        assert page.open("forecast", made.event.slug, query="?pause=40").says(WAIT)
        assert page.open("forecast", made.event.slug).status == 200
