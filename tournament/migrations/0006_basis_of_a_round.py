"""What a round was paired from lies apart from the round, which is read with each of its pairings."""

import django.db.models.deletion
from django.db import migrations, models

AT_ONCE = 50


def move(apps, _schema):
    basis = apps.get_model("tournament", "RoundBasis")
    paired = apps.get_model("tournament", "Round").objects.exclude(basis={})
    rows = (basis(round_id=pk, document=document) for pk, document in paired.values_list("pk", "basis").iterator(AT_ONCE))
    basis.objects.bulk_create(rows, batch_size=AT_ONCE)


def move_back(apps, _schema):
    rounds = apps.get_model("tournament", "Round").objects
    for row in apps.get_model("tournament", "RoundBasis").objects.iterator(AT_ONCE):
        rounds.filter(pk=row.round_id).update(basis=row.document)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0005_doubles")]

    operations = [
        migrations.CreateModel(
            name="RoundBasis",
            fields=[
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="apart",
                        serialize=False,
                        to="tournament.round",
                    ),
                ),
                ("document", models.JSONField()),
            ],
        ),
        migrations.RunPython(move, move_back),
    ]
