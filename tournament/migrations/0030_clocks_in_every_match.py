"""Adds the choice to play every match with a clock."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0029_winner_pictures'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='uses_clocks',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
