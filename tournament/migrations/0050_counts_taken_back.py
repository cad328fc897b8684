"""Counts of tills that were taken back, so that the same cash can be counted again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0049_hedges")]
    operations = [
        migrations.RemoveConstraint(model_name="cashclosing", name="till_closed_once"),
        migrations.AddField(
            model_name="cashclosing",
            name="taken_back",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="tournament.journalline",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashclosing",
            constraint=models.UniqueConstraint(
                condition=models.Q(("taken_back__isnull", True)),
                fields=("account", "last_transfer", "counted"),
                name="till_closed_once",
            ),
        ),
    ]
