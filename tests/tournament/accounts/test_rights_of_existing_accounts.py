"""The rows that a migration creates for accounts of the previous version."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from tests.tournament import stories
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Account, Membership

pytestmark = pytest.mark.django_db
migration = import_module("tournament.migrations.0009_rights_of_existing_accounts")


def helper(event, owner, name: str) -> User:
    """As the version before made helpers: a role, and a line in the journal."""
    user = User.objects.create_user(name)
    Membership.objects.create(event=event, user=user, role="desk")
    journal.write(event, owner, JournalEntry("make helper", "user", user.pk, after={"role": "desk"}))
    return user


def migrate() -> None:
    Account.objects.all().delete()
    User.objects.update(is_superuser=False)
    migration.add_accounts(apps, None)
    migration.name_an_administrator(apps, None)


def test_helpers_stay_with_their_event_and_all_others_may_create_events():
    owner, guest = stories.director("owner"), stories.director("guest")
    event, guest_event = stories.event(owner), stories.event(guest)
    stays = helper(event, owner, "stays")
    elsewhere = helper(event, owner, "elsewhere")
    Membership.objects.create(event=guest_event, user=elsewhere, role="desk")
    left = helper(event, owner, "left")
    journal.write(guest_event, guest, JournalEntry("give role", "user", left.pk, after={"role": "desk"}))
    promoted = helper(event, owner, "promoted")
    journal.write(event, owner, JournalEntry("give role", "user", promoted.pk, after={"role": "owner"}))
    migrate()
    made_by = dict(Account.objects.values_list("user__username", "made_by"))
    assert made_by == {
        "owner": None, "guest": None, "stays": event.pk, "elsewhere": None, "left": None, "promoted": None,
    }  # fmt: skip
    may = Account.objects.filter(may_create_events=True).values_list("user__username", flat=True)
    assert set(may) == set(made_by) - {stays.username}


def test_the_oldest_account_becomes_administrator_where_nobody_is():
    stories.director("first")
    stories.director("second")
    migrate()
    assert list(User.objects.filter(is_superuser=True).values_list("username", flat=True)) == ["first"]


def test_an_installation_without_accounts_gets_none():
    migrate()
    assert not Account.objects.exists()
