"""A digest takes the place of the time of the award, so that the desk sees when the awards of owners changed."""

from django.db import migrations, models


def keep_awards(apps, schema_editor):
    """No digest is equal to this text, so the desk compares these awards with the places once."""
    calcutta = apps.get_model("tournament", "Calcutta")
    calcutta.objects.filter(awarded_at__isnull=False).update(awards_stamp="awarded")


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0041_calcutta"),
    ]

    operations = [
        migrations.AddField(
            model_name="calcutta",
            name="awards_stamp",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.RunPython(keep_awards, migrations.RunPython.noop),
        migrations.RemoveField(model_name="calcutta", name="awarded_at"),
    ]
