"""Gives fields and models the names that the code uses. No data changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0021_stake_play'),
    ]

    operations = [
        migrations.RenameModel(
            old_name='AtTable',
            new_name='TableOccupancy',
        ),
        migrations.AlterModelOptions(
            name='evidence',
            options={'ordering': ['uploaded_at']},
        ),
        migrations.RenameField(
            model_name='account',
            old_name='has_news',
            new_name='has_unread_activity',
        ),
        migrations.RenameField(
            model_name='draw',
            old_name='public',
            new_name='public_dice',
        ),
        migrations.RenameField(
            model_name='entry',
            old_name='given_losses',
            new_name='starting_losses',
        ),
        migrations.RenameField(
            model_name='evidence',
            old_name='brought_at',
            new_name='uploaded_at',
        ),
        migrations.RenameField(
            model_name='evidence',
            old_name='brought_by',
            new_name='uploaded_by',
        ),
        migrations.RenameField(
            model_name='room',
            old_name='calls_by_itself',
            new_name='auto_call',
        ),
        migrations.RenameModel(
            old_name='FormerSheet',
            new_name='FormerDraw',
        ),
        migrations.AlterField(
            model_name='formerdraw',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_draws', to='tournament.tournament'),
        ),
    ]
