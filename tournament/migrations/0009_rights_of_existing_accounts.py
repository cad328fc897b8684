"""Gives every existing account its row: helpers stay with the event that made them, all others may create events.

Without a superuser the oldest account becomes the administrator: the first start of an installation made it.
"""

from django.db import migrations


def add_accounts(apps, schema_editor):
    User = apps.get_model("auth", "User")
    Account = apps.get_model("tournament", "Account")
    events_by_helper = _events_by_helper(apps)
    for pk in User.objects.values_list("pk", flat=True):
        made_by = events_by_helper.get(pk)
        Account.objects.create(user_id=pk, made_by_id=made_by, may_create_events=made_by is None)


def _events_by_helper(apps):
    """The event that made an account, unless the account ever had a role elsewhere or owned an event."""
    lines = apps.get_model("tournament", "JournalLine").objects
    helpers = lines.filter(verb="make helper", subject="user").values_list("subject_id", "event_id")
    made_by = {int(pk): event for pk, event in helpers if pk.isdigit()}
    for user, event, role in _roles_ever(apps):
        if role == "owner" or made_by.get(user) != event:
            made_by.pop(user, None)
    superusers = apps.get_model("auth", "User").objects.filter(is_superuser=True)
    for pk in superusers.values_list("pk", flat=True):
        made_by.pop(pk, None)
    return made_by


def _roles_ever(apps):
    """User, event and role, from today's rows and from the journal."""
    lines = apps.get_model("tournament", "JournalLine").objects
    yield from apps.get_model("tournament", "Membership").objects.values_list("user_id", "event_id", "role")
    given = lines.filter(verb__in=["give role", "make helper"], subject="user")
    for pk, event, after in given.values_list("subject_id", "event_id", "after"):
        if pk.isdigit():
            yield int(pk), event, after.get("role", "")
    for user, event in lines.filter(verb="create event").values_list("user_id", "event_id"):
        yield user, event, "owner"


def name_an_administrator(apps, schema_editor):
    users = apps.get_model("auth", "User").objects.filter(is_active=True)
    if not users.filter(is_superuser=True).exists():
        oldest = users.filter(account__may_create_events=True).order_by("pk").values_list("pk", flat=True).first()
        users.filter(pk=oldest).update(is_superuser=True)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0008_accounts_and_invitations")]

    operations = [
        migrations.RunPython(add_accounts, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(name_an_administrator, migrations.RunPython.noop, elidable=True),
    ]
