"""Gives fields the names that the code uses. No data changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0005_stake_play'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='gamerecord',
            options={'ordering': ['uploaded_at', 'id']},
        ),
        migrations.RemoveIndex(
            model_name='gamerecord',
            name='records_to_check',
        ),
        migrations.RenameField(
            model_name='gamerecord',
            old_name='tries',
            new_name='attempts',
        ),
        migrations.RenameField(
            model_name='gamerecord',
            old_name='left_is',
            new_name='left_player',
        ),
        migrations.RenameField(
            model_name='gamerecord',
            old_name='asked_at',
            new_name='requested_at',
        ),
        migrations.RenameField(
            model_name='gamerecord',
            old_name='brought_at',
            new_name='uploaded_at',
        ),
        migrations.RenameField(
            model_name='gamerecord',
            old_name='brought_by',
            new_name='uploaded_by',
        ),
        migrations.AddIndex(
            model_name='gamerecord',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['requested_at'], name='records_to_check'),
        ),
    ]
