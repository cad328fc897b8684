"""API tokens get an end and a scope. Tokens that exist keep their full scope and end 90 days from now."""

from datetime import timedelta

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q
from django.utils import timezone

LAST = timedelta(days=90)


def set_an_end(apps, _schema):
    apps.get_model("tournament", "ApiToken").objects.update(expires_at=timezone.now() + LAST)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0013_sessions")]

    operations = [
        migrations.AddField("apitoken", "expires_at", models.DateTimeField(null=True)),
        migrations.AddField("apitoken", "last_used_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "apitoken",
            "scope",
            models.CharField(
                choices=[("read", "read only"), ("full", "read and change")], default="full", max_length=4
            ),
        ),
        migrations.AddField(
            "apitoken",
            "event",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="api_tokens",
                to="tournament.event",
            ),
        ),
        migrations.RunPython(set_an_end, migrations.RunPython.noop),
        migrations.AlterField("apitoken", "expires_at", models.DateTimeField()),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(condition=Q(scope__in=["read", "full"]), name="token_scope_is_known"),
        ),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="token_ends_after_it_was_made"),
        ),
    ]
