"""Adds rounds that are paired automatically, some minutes after the last result of the round before."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0026_event_details'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tournament',
            name='round_release_is_known',
        ),
        migrations.AddField(
            model_name='tournament',
            name='held_round',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='release_grace',
            field=models.PositiveSmallIntegerField(db_default=5, default=5),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='round_release',
            field=models.CharField(choices=[('at_once', 'Pair and release it with one tap'), ('after_preview', 'Show a preview first'), ('automatic', 'Pair and release it automatically')], db_default='at_once', default='at_once', max_length=15),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('round_release__in', ['at_once', 'after_preview', 'automatic'])), name='round_release_is_known'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('release_grace__lte', 60)), name='release_grace_is_short'),
        ),
    ]
