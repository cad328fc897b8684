"""Subscriptions: permissions for private channels, and revocations."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.live.published import messages_until_now, published_messages
from tests.tournament.pages.phone_clients import phone as phone_with
from tournament.accounts import directors, links, roles, sessions
from tournament.accounts.links import TokenPlan
from tournament.live.channels import event_channel, private_channel
from tournament.models import ApiToken, PersonalLink

pytestmark = pytest.mark.django_db
PASSWORD = "five-point-prime-77"


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_private_channels_are_allowed_by_role(hall):
    event, bracket = hall.tournament.event_id, hall.pairing.round.bracket_id
    own, elsewhere = private_channel(hall.pairing.match_id), private_channel(hall.second_pairing.match_id)
    query = "&".join(
        f"bracket={channel}"
        for channel in (private_channel(event), private_channel(bracket), own, elsewhere, "inside-x", "x")
    )
    heard = {
        (): Client(),
        (own,): phone_with(hall.left),
        (elsewhere,): phone_with(hall.elsewhere),
        (str(event_channel(event)),): signed_in(hall.monitor.user),
        (str(event_channel(event)), private_channel(bracket), own, elsewhere): signed_in(hall.desk.user),
    }
    for channels, visitor in heard.items():
        answer = visitor.get(f"{reverse('stream-auth')}?{query}").json()
        assert sorted(answer["channels"]) == sorted(channels)
        assert len(answer["ways"]) == bool(channels)
        assert answer["seconds"] is None
    token = links.make_api_token(hall.desk.user, "board", TokenPlan(days=1))
    for secret, ways in ((token, [f"user:{hall.desk.user.pk}"]), ("wrong", []), ("", [])):
        headers = {"Authorization": f"Bearer {secret}"}
        answer = Client().get(reverse("stream-auth"), headers=headers).json()
        assert answer["ways"] == ways
        assert bool(ways) == (
            answer["seconds"] is not None and 0 < answer["seconds"] <= timedelta(days=1).total_seconds()
        )


def test_every_revocation_is_published_after_the_commit(hall, django_capture_on_commit_callbacks):
    event, owner, desk = hall.tournament.event, hall.owner, hall.desk.user
    link, reissued = PersonalLink.objects.order_by("pk")[:2]
    browser = signed_in(desk)
    links.make_api_token(desk, "board")
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}

    def sign_out():
        return signed_in(desk).post(reverse("sign-out"))

    ends = {
        "a link revoked": (lambda: links.revoke(link, owner), f"link:{link.pk}"),
        "a link given anew": (lambda: links.reissue(reissued.entry, owner), f"link:{reissued.pk}"),
        "another role": (lambda: roles.change_role(event, desk, "monitor", owner), f"user:{desk.pk}"),
        "no role": (lambda: roles.remove_role(event, desk, owner), f"user:{desk.pk}"),
        "a token revoked": (lambda: links.revoke_api_token(ApiToken.objects.get()), f"user:{desk.pk}"),
        "signed out": (sign_out, f"user:{desk.pk}"),
        "signed out everywhere": (lambda: sessions.sign_out_everywhere(desk, ""), f"user:{desk.pk}"),
        "a password set": (lambda: directors.set_password(desk, PASSWORD[::-1]), f"user:{desk.pk}"),
        "a password changed": (lambda: browser.post(reverse("password"), new), f"user:{desk.pk}"),
    }
    for name, (end, way) in ends.items():
        browser.force_login(desk, backend="django.contrib.auth.backends.ModelBackend")
        if name == "a password changed":
            desk.set_unusable_password()
            desk.save()
            browser.force_login(desk, backend="django.contrib.auth.backends.ModelBackend")
        with published_messages() as next_message:
            with django_capture_on_commit_callbacks(execute=True):
                end()
            words = messages_until_now(next_message)
        assert f"ended {way}" in words, name
