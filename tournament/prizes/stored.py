"""A prize structure as JSON, and back. Zeros, empty lists and usual rules are left out."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.prizes import LAST_PLACE
from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import MOST_MINOR_UNITS, current_currencies
from tournament.fees.schedule import CALCUTTA_POT, JACKPOT_POT, MAIN_POT, Condition
from tournament.fees.shares import WHOLE
from tournament.fees.stored import MOST_POOLS
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, Ties

MOST_PARTS, MOST_PLACES_OF_POOL = 200, 10
LONGEST_KEY = 40
LONGEST_POOL_KEY = 12
"""A line of the ledger names a pool with its bracket and places in 60 characters."""
MOST_TEMPLATES, LONGEST_TEMPLATE_NAME = 20, 40
AMOUNTS = ("added", "yearly", "guaranteed", "series_minor", "minimum")


class StructureError(SentenceError):
    """This prize structure is impossible. The message says why."""


def structure_as_json(structure: PrizeStructure) -> dict[str, Any]:
    return {"currency": structure.currency, **_rules_as_json(structure), **_lists_as_json(structure)}


def _rules_as_json(structure: PrizeStructure) -> dict[str, Any]:
    stored: dict[str, Any] = {name: getattr(structure, name) for name in AMOUNTS}
    stored |= {
        "series_share": structure.series_share,
        "bubble": structure.bubble,
        "is_public": structure.is_public,
        "unit": structure.unit if structure.unit > 1 else 0,
        "rest": structure.rest.value if structure.rest is not Rest.FIRST else "",
        "ties": structure.ties.value if structure.ties is not Ties.PLACES else "",
        "condition": structure.condition.value if structure.condition else "",
    }
    return {name: value for name, value in stored.items() if value}


def _lists_as_json(structure: PrizeStructure) -> dict[str, Any]:
    stored = {
        "parts": [_part_as_json(part) for part in structure.parts],
        "pools": [_pool_as_json(pool) for pool in structure.pools],
    }
    return {name: value for name, value in stored.items() if value}


def _part_as_json(part: Part) -> dict[str, Any]:
    stored = {
        "bracket": part.bracket,
        "places": [part.place_from, part.place_to],
        "share": part.share,
        "minor": part.minor,
        "feat": part.feat.value if part.feat else "",
    }
    return {name: value for name, value in stored.items() if value}


def _pool_as_json(pool: PoolPrizes) -> dict[str, Any]:
    stored = {
        "key": pool.key,
        "shares": list(pool.shares),
        "brackets": list(pool.brackets),
        "condition": pool.condition.value if pool.condition else "",
        "added": pool.added,
        "is_open": pool.is_open,
        "like_main": pool.like_main,
    }
    return {name: value for name, value in stored.items() if value}


def parse_structure(data: Mapping[str, Any]) -> PrizeStructure | None:
    """Returns the stored structure, None for an empty one. Raises StructureError."""
    if not data:
        return None
    try:
        structure = PrizeStructure(
            currency=str(data["currency"]),
            parts=parse_parts(data.get("parts", [])),
            pools=tuple(map(_pool, data.get("pools", []))),
            **{name: _whole_number(data.get(name, 0)) for name in AMOUNTS},
            bubble=bool(data.get("bubble", False)),
            is_public=bool(data.get("is_public", False)),
            series_share=_whole_number(data.get("series_share", 0)),
            unit=_whole_number(data.get("unit", 1)),
            rest=Rest(data.get("rest", Rest.FIRST)),
            ties=Ties(data.get("ties", Ties.PLACES)),
            condition=_condition(data),
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, StructureError):
            raise
        raise StructureError(gettext_noop("These prizes cannot be read. Enter them in the form.")) from error
    check_structure(structure)
    return structure


def parts_as_json(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [_part_as_json(part) for part in parts]


def parse_parts(data: Iterable[Mapping[str, Any]]) -> tuple[Part, ...]:
    """Raises StructureError, KeyError, TypeError or ValueError."""
    return tuple(map(_part, data))


def _part(data: Mapping[str, Any]) -> Part:
    first, last = data["places"]
    return Part(
        _text(data["bracket"]),
        _whole_number(first),
        _whole_number(last),
        _whole_number(data.get("share", 0)),
        _whole_number(data.get("minor", 0)),
        Feat(data["feat"]) if data.get("feat") else None,
    )


def _pool(data: Mapping[str, Any]) -> PoolPrizes:
    return PoolPrizes(
        _text(data["key"]),
        tuple(map(_whole_number, data.get("shares", []))),
        tuple(map(_text, data.get("brackets", []))),
        _condition(data),
        _whole_number(data.get("added", 0)),
        bool(data.get("is_open", False)),
        bool(data.get("like_main", False)),
    )


def _condition(data: Mapping[str, Any]) -> Condition | None:
    return Condition(data["condition"]) if data.get("condition") else None


def _text(value: object) -> str:
    """Raises TypeError for another type."""
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole_number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_MINOR_UNITS:
        raise StructureError(
            gettext_noop("An amount is a whole number of minor units, such as 1250 for 12.50.")
        )
    return value


def check_structure(structure: PrizeStructure) -> None:
    """Raises StructureError for a structure that cannot be kept."""
    if structure.currency not in current_currencies():
        raise StructureError(
            gettext_noop("{currency} is not a currency in use. Choose a code such as EUR."),
            currency=structure.currency,
        )
    if structure.series_share > WHOLE:
        raise StructureError(gettext_noop("The share of the series is up to 100 percent."))
    if structure.unit < 1:
        raise StructureError(gettext_noop("Prizes are rounded to at least one minor unit."))
    if len(structure.parts) > MOST_PARTS:
        raise StructureError(gettext_noop("A tournament has up to {most} lines of prizes."), most=MOST_PARTS)
    _check_parts(structure.parts)
    _check_pools(structure.pools)


def _check_parts(parts: tuple[Part, ...]) -> None:
    seen: set[tuple[str, Feat | None, int, bool]] = set()
    for part in parts:
        if not 1 <= part.place_from <= part.place_to <= LAST_PLACE:
            raise StructureError(
                gettext_noop("Prizes are for places from 1 to {last}, the first place before the last."),
                last=LAST_PLACE,
            )
        if bool(part.share) == bool(part.minor):
            raise StructureError(gettext_noop("A prize is either a share of the pot or a fixed amount."))
        if not 0 < len(part.bracket) <= LONGEST_KEY:
            raise StructureError(gettext_noop("Choose the bracket of each prize."))
        if part.feat is Feat.WIN and (part.share or part.place_to > part.place_from):
            raise StructureError(
                gettext_noop(
                    "The prize for each match won is a fixed amount. Enter 1 to pay from the first win on."
                )
            )
        if part.feat is Feat.WIN and any(key[:2] == (part.bracket, Feat.WIN) for key in seen):
            raise StructureError(gettext_noop("A bracket has one line for each match won. Keep one of them."))
        span = range(part.place_from, part.place_to + 1)
        places = {(part.bracket, part.feat, place, bool(part.share)) for place in span}
        if seen & places:
            raise StructureError(
                gettext_noop("Two shares or two amounts are for the same place. Keep one of them.")
            )
        seen |= places


def refuse_pool_keys(structure: PrizeStructure) -> None:
    """Raises StructureError for a key of a side pool that is too long or names another pot. For new structures only."""
    for pool in structure.pools:
        if not 0 < len(pool.key) <= LONGEST_POOL_KEY:
            raise StructureError(
                gettext_noop("Give each side pool a key of up to {most} characters."), most=LONGEST_POOL_KEY
            )
        if pool.key in (MAIN_POT, CALCUTTA_POT) or pool.key.startswith(JACKPOT_POT):
            raise StructureError(gettext_noop("This key names another pot. Give the side pool its own."))


def _check_pools(pools: tuple[PoolPrizes, ...]) -> None:
    keys = [pool.key for pool in pools]
    if len(set(keys)) < len(keys) or len(keys) > MOST_POOLS:
        raise StructureError(
            gettext_noop("A tournament has up to {most} side pools, each with prizes of its own."),
            most=MOST_POOLS,
        )
    for pool in pools:
        if not all(0 < len(bracket) <= LONGEST_KEY for bracket in pool.brackets):
            raise StructureError(
                gettext_noop("Name the brackets of a side pool with up to {most} characters."),
                most=LONGEST_KEY,
            )
        if not pool.brackets or len(set(pool.brackets)) < len(pool.brackets):
            raise StructureError(gettext_noop("Choose each bracket of a side pool once."))
        if not 0 < len(pool.shares) <= MOST_PLACES_OF_POOL or 0 in pool.shares:
            raise StructureError(
                gettext_noop("A side pool pays up to {most} entries, each a share above 0."),
                most=MOST_PLACES_OF_POOL,
            )
