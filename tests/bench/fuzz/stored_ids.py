"""What is really there: ids and names out of the rows, to be put where a request names something. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model

from matches.models import Card, CardRow, GameRecord, Match
from tournament.models import (
    ApiToken,
    Call,
    Correction,
    DisplayLink,
    Entry,
    Event,
    Evidence,
    Feed,
    Jackpot,
    Pairing,
    PersonalLink,
    Pin,
    Player,
    Question,
    Round,
    Slide,
    Table,
    Tournament,
)

MOST = 40
OFTEN = 0.8


@dataclass(frozen=True)
class Known:
    """Values by the name of a part of an address, and by the name of a field of a body."""

    places: Mapping[str, list[Any]]
    fields: Mapping[str, list[Any]]

    def address(self, parts: Mapping[str, Any], chance: Random) -> dict[str, Any]:
        """The parts of an address, most of them of something that is there."""
        return {name: self._pick(self.places, name, value, chance) for name, value in parts.items()}

    def body(self, body: Any, chance: Random) -> Any:
        """The same body, in which most ids are of something that is there."""
        if not isinstance(body, dict):
            return body
        return {
            name: self._pick(self.fields, name, value, chance) if _looks_like_an_id(value) else value
            for name, value in body.items()
        }

    @staticmethod
    def _pick(known: Mapping[str, list[Any]], name: str, value: Any, chance: Random) -> Any:
        found = known.get(name)
        return chance.choice(found) if found and chance.random() < OFTEN else value


def known_now() -> Known:
    """Everything that is there at this moment, the newest of each kind."""
    entries, matches = _ids(Entry), _ids(Match)
    rows = [str(key) for key in CardRow.objects.order_by("-pk").values_list("key", flat=True)[:MOST]]
    tails = [str(tail) for tail in Card.objects.order_by("-pk").values_list("tail", flat=True)[:MOST]]
    places = {f"{model.__name__.lower()}_id": _ids(model) for model in _named_alike()}
    return Known(
        places={
            **places,
            "entry_id": entries,
            "match_id": matches,
            "photo_id": _ids(Evidence),
            "record_id": _ids(GameRecord),
            "screen_id": _ids(DisplayLink),
            "token_id": _ids(ApiToken),
            "link_id": _ids(PersonalLink),
            "event": _texts(Event.objects.order_by("-pk").values_list("slug", flat=True)),
            "user_name": _texts(User.objects.order_by("-pk").values_list("username", flat=True)),
            "key": ["main", "consolation"],
            "number": [1, 2],
        },
        fields={
            **dict.fromkeys(("winner", "one_entry", "other_entry"), entries),
            **{name: [*tails, *matches] for name in ("predecessor", "mine", "theirs", "tail")},
            **dict.fromkeys(("supersedes", "line", "key"), rows),
            **dict.fromkeys(("one", "other", "seat"), _ids(Feed)),
            "table": _ids(Table),
            "player": _ids(Player),
            "pairing": _ids(Pairing),
            "user_name": _texts(User.objects.order_by("-pk").values_list("username", flat=True)),
        },
    )


def _named_alike() -> Iterable[type[Model]]:
    return (Call, Correction, Jackpot, Pairing, Pin, Question, Round, Slide, Table, Tournament)


def _ids(model: type[Model]) -> list[Any]:
    found = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:MOST]
    return [one if isinstance(one, int) else str(one) for one in found]


def _texts(found: Any) -> list[str]:
    return [str(one) for one in found[:MOST]]


def _looks_like_an_id(value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number or (isinstance(value, str) and len(value) == len("00000000-0000-0000-0000-000000000000"))
