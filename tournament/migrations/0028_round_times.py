"""Adds the planned starts of rounds."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0027_automatic_rounds'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='round_times',
            field=models.JSONField(blank=True, null=True),
        ),
    ]
