"""What has ended is removed, by the clock, and nothing else."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.tournament import stories
from tournament.accounts import links
from tournament.events import cleanup
from tournament.models import ApiToken, Session, SignInLink

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return stories.director("owner").user


def test_expired_sessions_links_and_tokens_are_removed_and_valid_ones_stay(user):
    long_ago = timezone.now() - timedelta(days=40)
    for is_old in (True, False):
        Client().force_login(user)
        links.make_sign_in_link(user)
        links.make_api_token(user, "board")
        if is_old:
            Session.objects.update(expire_date=long_ago)
            SignInLink.objects.update(used_at=long_ago)
            ApiToken.objects.update(revoked_at=long_ago)
    cleanup.clean_up()
    assert [model.objects.count() for model in (Session, SignInLink, ApiToken)] == [1, 1, 1]
    assert SignInLink.objects.get().used_at is None
    assert ApiToken.objects.get().revoked_at is None


def test_cleanup_runs_periodically_unless_disabled(user, settings):
    for hours, left in ((0, 1), (24, 0), (24, 1)):
        settings.CLEAN_UP_HOURS = hours
        if hours == 0 or left == 1:
            Client().force_login(user)
            Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
        if hours == 0:
            cache.delete(cleanup.CLEANED_KEY)
        cleanup.clean_up_if_due()
        assert Session.objects.count() == left
