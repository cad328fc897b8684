"""Gives every event of an earlier release the organizer of its owner, as new events have one."""

from django.conf import settings
from django.db import migrations


def give_organizers(apps, schema_editor):
    event_model, organizer_model = apps.get_model("tournament", "Event"), apps.get_model("tournament", "Organizer")
    membership_model = apps.get_model("tournament", "Membership")
    for event in event_model._base_manager.filter(organizer=None).order_by("created_at"):
        membership = membership_model.objects.filter(event=event, role="owner").order_by("pk").first()
        owner = membership.user if membership else None
        organizer = organizer_model.objects.filter(owner=owner).order_by("name", "pk").first() if owner else None
        if organizer is None:
            name = f"{owner.first_name} {owner.last_name}".strip() or owner.username if owner else event.name
            organizer = organizer_model.objects.create(name=name[:120], owner=owner)
        event_model._base_manager.filter(pk=event.pk).update(organizer=organizer)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0043_settled_pots"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(give_organizers, migrations.RunPython.noop)]
