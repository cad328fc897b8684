"""The activity of an account: what is recorded, for how long, and with how much of an address."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from tournament.accounts import activity
from tournament.models import Account, AccountEvent, AccountEventKind

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "shortened"),
    [
        ("203.0.113.99", "203.0.113.x"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("::ffff:203.0.113.99", "203.0.113.x"),
        ("fe80::1%eth0", "fe80::"),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_an_address_is_stored_shortened(address, shortened):
    activity.record(User.objects.create_user("anna"), AccountEventKind.SIGNED_IN, address=address)
    assert AccountEvent.objects.get().address == shortened


def test_only_actions_of_other_users_cause_a_notice():
    anna = User.objects.create_user("anna", last_login=timezone.now())
    owner = User.objects.create_user("owner")
    activity.record(anna, AccountEventKind.TOKEN_MADE, by=anna, detail="scoreboard")
    assert not Account.objects.filter(user=anna, has_unread_activity=True).exists()
    activity.record(anna, AccountEventKind.ROLE_INVITED, by=owner, detail="desk")
    assert Account.objects.get(user=anna).has_unread_activity
    activity.mark_as_seen(anna)
    assert not Account.objects.get(user=anna).has_unread_activity


def test_actions_before_the_first_sign_in_cause_no_notice():
    helper, owner = User.objects.create_user("helper"), User.objects.create_user("owner")
    activity.record(helper, AccountEventKind.ACCOUNT_MADE, by=owner)
    assert not Account.objects.filter(user=helper, has_unread_activity=True).exists()


@pytest.mark.parametrize(("days", "left"), [(30, 1), (0, 2)])
def test_old_lines_are_removed_after_the_stated_days(days, left):
    anna = User.objects.create_user("anna")
    for _ in range(2):
        activity.record(anna, AccountEventKind.SIGNED_IN)
    oldest = AccountEvent.objects.last()
    AccountEvent.objects.filter(pk=oldest.pk).update(at=timezone.now() - timedelta(days=31))
    with override_settings(ACCOUNT_LOG_DAYS=days):
        activity.remove_old()
    assert AccountEvent.objects.count() == left
