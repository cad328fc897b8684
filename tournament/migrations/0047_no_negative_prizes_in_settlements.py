from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0046_own_money_of_organizers"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(("first_minor__gte", 0), ("second_minor__gte", 0)),
                name="settlement_shares_no_negative_prize",
            ),
        ),
    ]
