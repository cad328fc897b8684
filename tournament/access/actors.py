"""Who is acting: a signed-in user, a player's phone, the product itself, or a stranger. No questions of permission."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.models import ApiToken, Entry, PersonalLink


@dataclass(frozen=True, slots=True)
class Actor:
    """`user` for directors and desk, `link` for a player's phone, neither for a stranger.

    `token` is the API token by which a program acts for its user. `other` is the entry that the phone acts for where
    that is another one of the link's player.
    """

    user: User | None = None
    token: ApiToken | None = None
    link: PersonalLink | None = None
    other_entry: Entry | None = None
    is_system: bool = False

    @property
    def kind(self) -> str:
        if self.is_system:
            return "system"
        if self.user is not None:
            return "user"
        return "player" if self.link is not None else "stranger"

    @property
    def only_event(self) -> uuid.UUID | None:
        """The one event that this actor's token is for; None: every event of the user."""
        return self.token.event_id if self.token is not None else None

    @property
    def entry(self) -> Entry | None:
        return self.other_entry or (self.link.entry if self.link is not None else None)


SYSTEM = Actor(is_system=True)
STRANGER = Actor()
