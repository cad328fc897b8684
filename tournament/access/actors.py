"""Actors: a signed-in user, a player's phone, the system, or a stranger. Permissions are decided elsewhere."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.models import ApiToken, Entry, PersonalLink


@dataclass(frozen=True, slots=True)
class Actor:
    """`user` for directors and desk, `link` for a player's phone, neither for a stranger.

    `token` is the API token of a program that acts for its user. `other_entry` is the entry that the phone acts for if
    it is not the link's own entry but another entry of the same player. A visitor may carry more: the tokens of all
    personal links of the phone, and keys of events and tournaments that are visible by link.
    """

    user: User | None = None
    token: ApiToken | None = None
    link: PersonalLink | None = None
    other_entry: Entry | None = None
    is_system: bool = False
    link_tokens: tuple[str, ...] = ()
    visibility_keys: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        if self.is_system:
            return "system"
        if self.user is not None:
            return "user"
        return "player" if self.link is not None else "stranger"

    @property
    def only_event(self) -> uuid.UUID | None:
        """The event that the actor's token is limited to; None: every event of the user."""
        return self.token.event_id if self.token is not None else None

    @property
    def entry(self) -> Entry | None:
        return self.other_entry or (self.link.entry if self.link is not None else None)


SYSTEM = Actor(is_system=True)
STRANGER = Actor()
