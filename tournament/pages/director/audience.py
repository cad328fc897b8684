"""Says to a director who sees what is released in an event."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.models.events import Visibility

AUDIENCES: Mapping[str, Promise] = {
    Visibility.PUBLIC: _("Everybody sees it."),
    Visibility.BY_LINK: _("People with the secret address of the event see it."),
    Visibility.PRIVATE: _("Only the staff and the players of the event see it."),
}


def released_message(released: str, event: Event) -> str:
    return f"{released} {AUDIENCES[event.visibility]}"
