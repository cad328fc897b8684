"""Sessions: stored by digest, ended when idle, carried over from the table that held their keys."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as OldStore
from django.contrib.sessions.models import Session as OldSession
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tournament.accounts import session_store
from tournament.models import Session
from tournament.models.sessions import Digest
from tournament.pages.accounts.session_use import device

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def keeper() -> User:
    return User.objects.create_user("keeper", password="five-point-prime-77")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def is_in(client: Client) -> bool:
    return client.get(reverse("password")).status_code == 200


def test_the_stored_digest_of_a_session_does_not_sign_in(keeper):
    client = signed_in(keeper)
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_key FROM tournament_session")
        stored = [row[0] for row in cursor.fetchall()]
    assert key_of(client) not in stored
    thief = Client()
    for value in (*stored, Digest(stored[0])):
        thief.cookies[settings.SESSION_COOKIE_NAME] = value
        assert not is_in(thief)
    assert is_in(client)


def test_signing_out_ends_the_session(keeper):
    client = signed_in(keeper)
    copied = Client()
    copied.cookies[settings.SESSION_COOKIE_NAME] = key_of(client)
    assert is_in(copied)
    client.post(reverse("sign-out"))
    assert not is_in(copied)
    assert not Session.objects.filter(user=keeper).exists()


def test_an_idle_session_expires_and_a_used_one_does_not(keeper, settings, monkeypatch):
    settings.SESSION_IDLE_DAYS = 2
    used, idle = signed_in(keeper), signed_in(keeper)
    almost = timezone.now() + timedelta(seconds=30)
    Session.objects.update(expire_date=almost)
    monkeypatch.setattr(session_store, "_touched", {})
    assert is_in(used)
    assert Session.objects.get(session_key=key_of(used)).expire_date > almost + timedelta(days=1)
    Session.objects.filter(session_key=key_of(idle)).update(expire_date=timezone.now())
    assert is_in(used)
    assert not is_in(idle)


def test_use_does_not_extend_a_session_beyond_its_maximum_age(keeper, settings, monkeypatch):
    settings.SESSION_COOKIE_AGE, settings.SESSION_IDLE_DAYS = 3600, 14
    client = signed_in(keeper)
    monkeypatch.setattr(session_store, "_touched", {})
    assert is_in(client)
    row = Session.objects.get()
    assert row.expire_date - row.signed_in_at == timedelta(hours=1)


def test_the_last_use_of_a_session_is_stored_every_few_minutes(keeper, monkeypatch):
    client = signed_in(keeper)
    monkeypatch.setattr(session_store, "_touched", {})
    is_in(client)
    noted = Session.objects.get().seen_at
    is_in(client)
    assert Session.objects.get().seen_at == noted


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [(FIREFOX, "Firefox on Linux"), (IPHONE, "Safari on iPhone"), ("curl/8", ""), ("", "")],
)
def test_a_device_is_named_by_browser_and_system(user_agent, words):
    assert device(user_agent) == words


def test_sessions_of_the_former_table_stay_valid_and_lose_their_keys(keeper):
    before = signed_in(keeper)
    data = dict(before.session.items())
    Session.objects.all().delete()
    old = OldStore()
    old.update(data)
    old.save()
    expired = OldStore()
    expired.save()
    OldSession.objects.filter(session_key=expired.session_key).update(expire_date=timezone.now())
    import_module("tournament.migrations.0013_sessions").move(apps, None)
    assert not OldSession.objects.exists()
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = old.session_key
    assert is_in(browser)
    assert Session.objects.get().user == keeper
