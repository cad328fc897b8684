"""Apart from the migration before it: PostgreSQL alters no table whose rows were referred to in the same transaction."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0006_basis_of_a_round")]

    operations = [
        migrations.RemoveField(model_name="round", name="basis"),
        migrations.AlterField(
            model_name="roundbasis",
            name="round",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="basis",
                serialize=False,
                to="tournament.round",
            ),
        ),
    ]
