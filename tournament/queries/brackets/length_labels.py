"""What a match, a round or a pairing is played to: a length, or sessions of so many games or minutes. Words only."""

from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class Session(Protocol):
    """`minutes` where they are known: a match has none."""

    @property
    def games(self) -> int | None: ...


class PlayedTo(Session, Protocol):
    @property
    def length(self) -> int | None: ...


def in_points(one: PlayedTo) -> str:
    """“to 7 points”, “5 games”, “60 minutes”."""
    if one.length is None:
        return in_session(one)
    return ngettext("to %(length)s point", "to %(length)s points", one.length) % {"length": one.length}


def in_brief(one: PlayedTo) -> str:
    """“to 7”, “5 games”, “60 minutes”."""
    return in_session(one) if one.length is None else _("to %(length)s") % {"length": one.length}


def in_figures(one: PlayedTo) -> str:
    """“7”, “5 games”, “60 minutes”."""
    return in_session(one) if one.length is None else str(one.length)


def in_session(one: Session) -> str:
    """“5 games”, “60 minutes”."""
    minutes: int | None = getattr(one, "minutes", None)
    if one.games is not None:
        return ngettext("%(games)s game", "%(games)s games", one.games) % {"games": one.games}
    if minutes is not None:
        return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}
    return _("stake play")
