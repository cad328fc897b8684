import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0024_event_visibility")]

    operations = [
        migrations.AddField(
            model_name="displaylink",
            name="code",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddConstraint(
            model_name="displaylink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("code", ""), _negated=True), fields=("code",), name="screen_code_given_once"
            ),
        ),
        migrations.CreateModel(
            name="KioskLink",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kiosk_links",
                        to="tournament.event",
                    ),
                ),
            ],
            options={
                "ordering": ["made_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("event",),
                        name="one_open_kiosk_link",
                    )
                ],
            },
        ),
    ]
