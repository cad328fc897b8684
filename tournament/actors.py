"""Who is acting: a signed-in user, a player's phone, the product itself, or a stranger. No questions of permission."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.models import Entry, PersonalLink


@dataclass(frozen=True, slots=True)
class Actor:
    """`user` for directors and desk, `link` for a player's phone, neither for a stranger.

    `other` is the entry that the phone acts for where that is another one of the link's player.
    """

    user: User | None = None
    link: PersonalLink | None = None
    other: Entry | None = None
    is_system: bool = False

    @property
    def kind(self) -> str:
        if self.is_system:
            return "system"
        if self.user is not None:
            return "user"
        return "player" if self.link is not None else "stranger"

    @property
    def entry(self) -> Entry | None:
        return self.other or (self.link.entry if self.link is not None else None)


SYSTEM = Actor(is_system=True)
STRANGER = Actor()
