"""Gives new columns a default of the database, so that nodes of the last release can insert rows."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0017_forget_sign_in_attempts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='scope',
            field=models.CharField(choices=[('read', 'read only'), ('full', 'read and change')], db_default='full', default='full', max_length=4),
        ),
        migrations.AlterField(
            model_name='event',
            name='is_indexed',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='event',
            name='is_listed',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AlterField(
            model_name='event',
            name='shows_initials',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='player',
            name='full_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=100),
        ),
    ]
