"""Administrators of the installation: accounts closed and reopened, events hidden, by page and by command."""

import io
import re
from copy import copy

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.browser import Browser
from tournament.accounts import directors, lifecycle, links, roles, sessions
from tournament.models import AccountEvent, ApiToken, Event, Membership, Session
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def run(command: str, *arguments: str) -> str:
    output = io.StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def administering(db) -> Browser:
    return Browser(stories.administrator().user)


def test_closing_an_account_and_making_an_administrator_need_a_recent_sign_in(administering, hall):
    desk = hall.desk.user
    administering.open("installation-account", desk.pk)
    session = administering.client.session
    session["confirmed_at"] -= 3600
    session.save()
    confirmed_page = copy(administering)
    for words in ("Close the account", "Make administrator"):
        page = copy(confirmed_page)
        page.press(words)
        assert page.path.startswith("/account/confirm/")
        desk.refresh_from_db()
        assert (desk.is_active, desk.is_superuser) == (True, False)
        assert not page.open("installation-account", desk.pk).has_button(words)
        assert page.says("Confirm your identity")


def test_the_first_account_of_an_installation_is_its_administrator():
    run("director")
    run("director", "anna")
    assert list(User.objects.filter(is_superuser=True).values_list("username", flat=True)) == ["director"]
    assert Browser(User.objects.get(username="director")).open("home").says("Installation")


def test_the_director_command_reports_a_created_account():
    assert "New account anna created." in run("director", "anna")
    assert "New account" not in run("director", "anna")


def test_closing_an_account_revokes_all_access(administering, hall):
    desk = hall.desk.user
    browser, program = Browser(desk), Program(links.make_api_token(desk, "board"))
    link = links.make_sign_in_link(desk)
    assert program.get("/account/tokens/").status_code == browser.open("account-activity").status == 200
    administering.open("installation-account", desk.pk).press("Close the account")
    assert administering.says("The account desk is closed.")
    assert browser.client.get("/account/activity/").status_code == 302
    assert program.get("/account/tokens/").status_code == 401
    assert Client().post(link).status_code == 409
    administering.press("Reopen the account")
    assert User.objects.get(pk=desk.pk).is_active
    assert browser.client.get("/account/activity/").status_code == 302
    kinds = AccountEvent.objects.filter(user=desk, by__username="administrator").values_list(
        "kind", flat=True
    )
    assert {"account_closed", "account_reopened"} <= set(kinds)


def test_the_right_to_create_events_is_given_and_removed(administering, hall):
    administering.open("installation-account", hall.desk.user.pk).press("Allow to create events")
    assert Browser(hall.desk.user).open("event-new").status == 200
    administering.press("Remove the right to create events")
    assert Browser(hall.desk.user).open("event-new").status == 403


def test_the_last_administrator_cannot_be_removed(administering):
    own = User.objects.get(username="administrator")
    administering.open("installation-account", own.pk).press("Close the account")
    assert administering.says("An installation needs an administrator.")
    administering.press("Remove as administrator")
    assert administering.says("An installation needs an administrator.")
    second_account = stories.director("other").user
    administering.open("installation-account", second_account.pk).press("Make administrator")
    administering.open("installation-account", own.pk).press("Remove as administrator")
    assert administering.path == "/"
    assert administering.open("installation").status == 403


def test_a_closed_account_is_not_an_administrator(administering):
    second_administrator = stories.administrator("other")
    lifecycle.close(second_administrator.user)
    own = User.objects.get(username="administrator")
    with pytest.raises(Refused, match="needs an administrator"):
        lifecycle.set_administrator(own, is_administrator=False)


def test_a_hidden_event_is_unlisted_but_reachable(administering, hall):
    slug = hall.tournament.event.slug
    administering.open("installation-events").press("Hide")
    assert administering.says("hidden")
    assert slug not in Browser().open("home").text
    assert slug not in Program().get("/events/").content.decode()
    assert slug in Browser(hall.desk.user).open("home").text
    assert slug in Program(links.make_api_token(hall.desk.user, "board")).get("/events/").content.decode()
    assert Browser().open("event", slug).status == 200
    administering.open("installation-events").press("List again")
    assert slug in Browser().open("home").text


def test_accounts_and_events_are_found_by_name(administering, hall):
    assert not administering.open("installation", query="?name=dEsk").says("monitor")
    assert administering.says("desk")
    assert administering.open("installation", query="?name=%00%27%3Cb%3E").status == 200
    assert administering.open("installation-events", query="?name=nothing").says("No event of this name.")


def test_an_owner_closes_only_accounts_created_by_the_event(hall):
    owning, slug = Browser(hall.owner.user), hall.tournament.event.slug
    roles.remove_role(hall.tournament.event, hall.desk.user, hall.owner)
    owning.open("event-people", slug)
    assert owning.says("Accounts without a role")
    closing = f"/e/{slug}/people/{hall.desk.user.pk}/close/"
    assert closing in owning.text
    assert Browser(hall.director.user).client.post(closing).status_code == 403
    neighbour = stories.director("neighbour")
    theirs = stories.event(neighbour).slug
    assert (
        Browser(neighbour.user).client.post(f"/e/{theirs}/people/{hall.desk.user.pk}/close/").status_code
        == 404
    )
    assert owning.client.post(closing).status_code == 302
    assert not User.objects.get(username="desk").is_active
    stories.join(hall.tournament.event, neighbour, "desk", hall.owner)
    owning.client.post(f"/e/{slug}/people/{neighbour.user.pk}/close/")
    assert User.objects.get(username="neighbour").is_active


def test_an_event_whose_other_owner_is_closed_keeps_its_last_open_owner():
    owner, second_owner = stories.director("owner"), stories.director("other")
    event = stories.event(owner)
    stories.join(event, second_owner, "owner", owner)
    lifecycle.close(second_owner.user)
    with pytest.raises(Refused, match="needs an owner"):
        roles.remove_role(event, owner.user, owner)


def test_the_accounts_command_lists_shows_and_changes(hall):
    stories.administrator()
    links.make_api_token(hall.desk.user, "board")
    lines = run("accounts").splitlines()
    slug = hall.tournament.event.slug
    assert f"desk  [made by {slug}]  {slug}: desk" in lines
    assert "administrator  [administrator]  [may create events]" in lines
    assert "token “board”" in run("accounts", "desk")
    assert "[closed]" in run("accounts", "desk", "close")
    assert "token" not in run("accounts", "desk")
    assert "[closed]" not in run("accounts", "desk", "reopen")
    assert "[administrator]" in run("accounts", "owner", "administrator")
    run("accounts", "administrator", "no-administrator")
    with pytest.raises(CommandError, match="needs an administrator"):
        run("accounts", "owner", "close")
    with pytest.raises(CommandError, match="no account “nobody”"):
        run("accounts", "nobody", "close")


def test_an_account_reopened_by_the_operator_can_create_events(hall):
    lifecycle.close(hall.desk.user)
    user, is_new = directors.open_account("desk")
    assert (user.is_active, is_new, user.is_superuser) == (True, False, False)
    assert Browser(user).open("event-new").status == 200
    assert Membership.objects.filter(user=user).exists()
    assert Event.objects.count() == 1
    assert re.search("Account reopened", Browser(user).open("account-activity").text)


def test_an_administrator_revokes_one_session_and_one_token(administering, hall):
    desk = hall.desk.user
    lost, valid = Browser(desk), Browser(desk)
    board, printer = (Program(links.make_api_token(desk, label)) for label in ("board", "printer"))
    page = administering.open("installation-account", desk.pk)
    session = Session.objects.get(session_key=lost.client.session.session_key)
    page.client.post(reverse("installation-session-end", args=[desk.pk, sessions.session_name(session)]))
    page.client.post(
        reverse("installation-token-revoke", args=[desk.pk, ApiToken.objects.get(label="board").pk])
    )
    statuses = [browser.client.get("/account/activity/").status_code for browser in (lost, valid)]
    assert statuses == [302, 200]
    assert [program.get("/account/tokens/").status_code for program in (board, printer)] == [401, 200]
    kinds = AccountEvent.objects.filter(user=desk, by__username="administrator").values_list(
        "kind", flat=True
    )
    assert set(kinds) == {"session_ended", "token_revoked"}


def test_an_administrator_cannot_revoke_by_the_wrong_account(administering, hall):
    desk, owner = hall.desk.user, hall.owner.user
    links.make_api_token(owner, "board")
    token = ApiToken.objects.get(label="board")
    answer = administering.client.post(reverse("installation-token-revoke", args=[desk.pk, token.pk]))
    assert answer.status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None
