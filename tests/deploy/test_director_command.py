"""`manage.py director`: creates and reopens accounts without mail."""

import io
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.accounts import directors, links
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def sign_in_token(*arguments: str) -> str:
    output = io.StringIO()
    call_command("director", *arguments, stdout=output)
    link = re.search(r"/sign-in/([^/\s]+)/", output.getvalue())
    assert link is not None
    return link.group(1)


def test_the_first_director_needs_no_name():
    assert links.use_sign_in_link(sign_in_token()).username == "director"


def test_a_sign_in_link_works_once_and_a_new_one_voids_the_old_one():
    old, new = sign_in_token("Anna"), sign_in_token("Anna")
    with pytest.raises(Refused):
        links.use_sign_in_link(old)
    assert links.use_sign_in_link(new).username == "Anna"
    with pytest.raises(Refused):
        links.use_sign_in_link(new)


def test_a_closed_account_is_reopened():
    User.objects.create_user("Anna", password="a long enough one", is_active=False)
    user = links.use_sign_in_link(sign_in_token("Anna"))
    assert user.is_active
    assert user.check_password("a long enough one")
    assert User.objects.count() == 1


def test_a_new_account_has_no_usable_password():
    assert not links.use_sign_in_link(sign_in_token("Anna")).has_usable_password()


def test_the_link_for_a_copy_is_for_the_owner_who_signed_in_last():
    owners = [stories.director(name).user for name in ("first", "last", "never")]
    for user, days in zip(owners, (2, 1, None), strict=True):
        stories.event(Actor(user=user))
        user.last_login = timezone.now() - timedelta(days=days) if days else None
        user.save()
    User.objects.create_user("helper", last_login=timezone.now())
    assert directors.last_owner() == owners[1]


@pytest.mark.parametrize(
    ("weak", "sentence"),
    [("password123", "This password is too common."), ("five-pt-9", "at least 10 characters")],
)
def test_a_common_or_short_password_is_refused(monkeypatch, weak, sentence):
    monkeypatch.setattr("getpass.getpass", lambda _prompt: weak)
    with pytest.raises(CommandError, match=sentence):
        call_command("director", "Anna", "--password")
    assert not User.objects.filter(username="Anna", password__startswith="pbkdf2").exists()
