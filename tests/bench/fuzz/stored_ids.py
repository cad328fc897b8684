"""Ids and names of stored rows, to be put into generated requests."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model

from matches.models import Card, CardRow, GameRecord, Match
from tournament.models import (
    ApiToken,
    CalcuttaLot,
    Call,
    Correction,
    DisplayLink,
    Entry,
    Event,
    Evidence,
    ExchangeRate,
    Feed,
    Jackpot,
    LedgerTransaction,
    Organizer,
    Pairing,
    PersonalLink,
    Pin,
    Player,
    Question,
    Receipt,
    Round,
    Slide,
    Table,
    Tournament,
)

MODELS_NAMED_IN_PATHS = (Call, Correction, Jackpot, Pairing, Pin, Question, Round, Slide, Table, Tournament)
"""The path parameter of each is its name with `_id`."""
ROWS_PER_MODEL = 40
SHARE_OF_STORED = 0.8


@dataclass(frozen=True)
class StoredIds:
    """Values by the name of a path parameter and by the name of a body field."""

    parameters: Mapping[str, list[Any]]
    fields: Mapping[str, list[Any]]

    def path_parameters(self, parameters: Mapping[str, Any], chance: Random) -> dict[str, Any]:
        """Replaces most of the parameters by stored values."""
        return {name: _pick(self.parameters, name, value, chance) for name, value in parameters.items()}

    def body(self, body: Any, chance: Random) -> Any:
        """Replaces most of the ids in the body by stored ids."""
        if not isinstance(body, dict):
            return body
        return {
            name: _pick(self.fields, name, value, chance) if _looks_like_an_id(value) else value
            for name, value in body.items()
        }


def _pick(stored: Mapping[str, list[Any]], name: str, value: Any, chance: Random) -> Any:
    values = stored.get(name)
    return chance.choice(values) if values and chance.random() < SHARE_OF_STORED else value


def load_stored_ids() -> StoredIds:
    """Loads the newest rows of each model."""
    entries, matches = _ids(Entry), _ids(Match)
    rows = [
        str(key) for key in CardRow.objects.order_by("-pk").values_list("key", flat=True)[:ROWS_PER_MODEL]
    ]
    tails = [
        str(tail) for tail in Card.objects.order_by("-pk").values_list("tail", flat=True)[:ROWS_PER_MODEL]
    ]
    ids_by_parameter = {f"{model.__name__.lower()}_id": _ids(model) for model in MODELS_NAMED_IN_PATHS}
    return StoredIds(
        parameters={
            **ids_by_parameter,
            "entry_id": entries,
            "match_id": matches,
            "photo_id": _ids(Evidence),
            "record_id": _ids(GameRecord),
            "screen_id": _ids(DisplayLink),
            "token_id": _ids(ApiToken),
            "lot_id": _ids(CalcuttaLot),
            "player_id": _ids(Player),
            "rate_id": _ids(ExchangeRate),
            "receipt_id": _ids(Receipt),
            "transaction_id": _ids(LedgerTransaction),
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
            "organizer": _ids(Organizer),
            "pairing": _ids(Pairing),
            "user_name": _texts(User.objects.order_by("-pk").values_list("username", flat=True)),
        },
    )


def _ids(model: type[Model]) -> list[Any]:
    ids = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:ROWS_PER_MODEL]
    return [pk if isinstance(pk, int) else str(pk) for pk in ids]


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values[:ROWS_PER_MODEL]]


def _looks_like_an_id(value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number or (isinstance(value, str) and len(value) == len("00000000-0000-0000-0000-000000000000"))
