"""Sessions move to a table of their own that holds digests of their keys. Browsers stay signed in."""

from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone

import tournament.models.sessions

LASTED = timedelta(days=30)
AT_ONCE = 500


def move(apps, _schema):
    old = apps.get_model("sessions", "Session").objects
    users = set(apps.get_model("auth", "User").objects.values_list("pk", flat=True))
    rows = old.filter(expire_date__gt=timezone.now()).iterator(AT_ONCE)
    new = [row for row in (_moved(apps, row, users) for row in rows) if row is not None]
    apps.get_model("tournament", "Session").objects.bulk_create(new, batch_size=AT_ONCE)
    old.all().delete()


def _moved(apps, row, users):
    store = SessionStore()
    data = store.decode(row.session_data)
    user = int(data.get(SESSION_KEY, 0))
    if user not in users:
        return None
    began = row.expire_date - LASTED
    return apps.get_model("tournament", "Session")(
        session_key=row.session_key,
        session_data=store.encode({**data, "signed_in_at": began.timestamp()}),
        expire_date=row.expire_date,
        user_id=user,
        signed_in_at=began,
        seen_at=timezone.now(),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("sessions", "0001_initial"),
        ("tournament", "0012_former_sheets"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "session_key",
                    tournament.models.sessions.DigestField(max_length=64, primary_key=True, serialize=False),
                ),
                ("signed_in_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("device", models.CharField(blank=True, max_length=60)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-seen_at"]},
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
    ]
