"""`manage.py director`: access, or access again, without mail."""

import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from tournament import links
from tournament.errors import Refused

pytestmark = pytest.mark.django_db


def sign_in_token(*arguments: str) -> str:
    said = io.StringIO()
    call_command("director", *arguments, stdout=said)
    found = re.search(r"/sign-in/([^/\s]+)/", said.getvalue())
    assert found is not None
    return found.group(1)


def test_the_first_director_needs_no_name():
    assert links.use_sign_in_link(sign_in_token()).username == "director"


def test_a_link_signs_in_once_and_a_new_one_makes_the_old_one_void():
    old, new = sign_in_token("Anna"), sign_in_token("Anna")
    with pytest.raises(Refused):
        links.use_sign_in_link(old)
    assert links.use_sign_in_link(new).username == "Anna"
    with pytest.raises(Refused):
        links.use_sign_in_link(new)


def test_an_account_that_was_closed_is_opened_again():
    User.objects.create_user("Anna", password="a long enough one", is_active=False)
    user = links.use_sign_in_link(sign_in_token("Anna"))
    assert user.is_active
    assert user.check_password("a long enough one")
    assert User.objects.count() == 1


def test_an_account_made_this_way_has_no_password_to_guess():
    assert not links.use_sign_in_link(sign_in_token("Anna")).has_usable_password()
