"""Usual ways to split a pot over brackets and places, for the formats and numbers of entries that use them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rules.translation import gettext_noop
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import ranked_brackets
from tournament.fees.amounts import exponent_of
from tournament.fees.schedule import FeeSchedule
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure

CONSOLATION, LAST_CHANCE = "consolation", "last chance"
FEAT_KINDS: Mapping[Feat, tuple[Kind, ...]] = {
    Feat.UNBEATEN: (Kind.DOUBLE,),
    Feat.PAIR_OF_THREE: (Kind.LIVES,),
}
"""The formats in which a feat can be achieved; all others are possible in every format."""


@dataclass(frozen=True, slots=True)
class Field:
    """The facts that decide whether a template fits. `top` is the bracket of the winner."""

    entries: int
    kind: Kind
    brackets: tuple[str, ...]
    currency: str = "EUR"

    @property
    def top(self) -> str:
        return self.brackets[0]

    @property
    def has_consolation(self) -> bool:
        return CONSOLATION in self.brackets


@dataclass(frozen=True, slots=True)
class PrizeTemplate:
    """`parts_of` makes its lines; lines about brackets that are not played are left out. `suits`: a usual choice.

    The sentences are marked for translation.
    """

    key: str
    name: str
    hint: str
    parts_of: Callable[[Field], tuple[Part, ...]]
    suits: Callable[[Field], bool]
    bubble: bool = False

    def parts(self, field: Field) -> tuple[Part, ...]:
        return tuple(part for part in self.parts_of(field) if part.bracket in field.brackets)


def field_of(chosen: Format, entries: int, currency: str) -> Field:
    return Field(entries, chosen.kind, tuple(ranked_brackets(chosen)), currency)


def with_side_pools(structure: PrizeStructure, schedule: FeeSchedule | None, field: Field) -> PrizeStructure:
    """Adds the side pools of the fees that have no prizes of their own: all goes to the furthest."""
    keys = {pool.key for pool in structure.pools}
    brackets = (field.top, CONSOLATION) if field.has_consolation else (field.top,)
    new = [
        PoolPrizes(pool.key, (100,), brackets)
        for pool in (schedule.pools if schedule else ())
        if pool.key not in keys
    ]
    return replace(structure, pools=(*structure.pools, *new)) if new else structure


def templates_for(field: Field) -> tuple[PrizeTemplate, ...]:
    """The templates without feats that cannot be achieved in the format."""
    return tuple(
        template
        for template in TEMPLATES
        if all(is_possible(part.feat, field) for part in template.parts(field))
    )


def is_possible(feat: Feat | None, field: Field) -> bool:
    """True without a feat."""
    return feat is None or field.kind in FEAT_KINDS.get(feat, (field.kind,))


def suggested_template(field: Field) -> PrizeTemplate:
    """The first template that suits; the four places of a series otherwise."""
    return next((template for template in TEMPLATES if template.suits(field)), SERIES)


def by_place(bracket: str, *shares: int) -> tuple[Part, ...]:
    return tuple(Part(bracket, place, place, share) for place, share in enumerate(shares, 1))


def semifinalists(bracket: str, share: int) -> Part:
    return Part(bracket, 3, 4, share)


def _twelfths(field: Field) -> tuple[Part, ...]:
    main = (*by_place(field.top, 4, 2), semifinalists(field.top, 1))
    return (*main, *by_place(CONSOLATION, 2, 1), *by_place(LAST_CHANCE, 1))


def _last_chance_set_aside(field: Field) -> tuple[Part, ...]:
    fifty = 50 * 10 ** exponent_of(field.currency)
    return (*by_place(field.top, 2, 1), Part(LAST_CHANCE, 1, 1, minor=fifty))


def _double_elimination(field: Field) -> tuple[Part, ...]:
    return (*by_place(field.top, 60, 20), Part(field.top, 1, 1, 20, feat=Feat.UNBEATEN))


def _everybody(field: Field) -> tuple[Part, ...]:
    """Half, a quarter, and a quarter that falls from the third to the last place in equal steps."""
    others = max(1, field.entries - 2)
    steps = others * (others + 1) // 2
    return by_place(field.top, 2 * steps, steps, *range(others, 0, -1))


def _last_three(pair: int, *places: int) -> Callable[[Field], tuple[Part, ...]]:
    def parts_of(field: Field) -> tuple[Part, ...]:
        return (*by_place(field.top, *places), Part(field.top, 1, 2, pair, feat=Feat.PAIR_OF_THREE))

    return parts_of


def _each_win(field: Field, units: int) -> Part:
    return Part(field.top, 1, 1, minor=units * 10 ** exponent_of(field.currency), feat=Feat.WIN)


def _never(_field: Field) -> bool:
    return False


SERIES = PrizeTemplate(
    "series",
    gettext_noop("First four: 50 / 25 / 12.5 / 12.5 percent"),
    gettext_noop("A knock-out without side brackets, such as the final of a series."),
    lambda field: (*by_place(field.top, 4, 2), semifinalists(field.top, 1)),
    lambda field: field.kind in (Kind.KNOCKOUT, Kind.GROUPS) and not field.has_consolation,
)
TEMPLATES = (
    PrizeTemplate(
        "small",
        gettext_noop("Up to 16 entries: 50 / 25 percent, consolation 25"),
        gettext_noop("Pays the winner, the other finalist and the winner of the consolation."),
        lambda field: (*by_place(field.top, 50, 25), *by_place(CONSOLATION, 25)),
        lambda field: field.has_consolation and field.entries <= 16,
    ),
    PrizeTemplate(
        "twelfths",
        gettext_noop("From 17 entries: in twelfths over all brackets"),
        gettext_noop(
            "Main bracket 4, 2, 1 and 1 parts, consolation 2 and 1, last chance 1. A winner gets twice as much as the"
            " other finalist."
        ),
        _twelfths,
        lambda field: field.has_consolation and field.entries > 16,
    ),
    PrizeTemplate(
        "club",
        gettext_noop("Club evening: 40 / 25 percent, consolation 25 / 10"),
        gettext_noop("Pays both finalists of the main bracket and of the consolation."),
        lambda field: (*by_place(field.top, 40, 25), *by_place(CONSOLATION, 25, 10)),
        _never,
    ),
    PrizeTemplate(
        "lives",
        gettext_noop("Lives: 40 / 30 / 20 / 10 percent"),
        gettext_noop(
            "An entry that is out before the prizes with as many wins as a paid one shares with it. Byes do not count."
        ),
        lambda field: by_place(field.top, 40, 30, 20, 10),
        lambda field: field.kind is Kind.LIVES,
        bubble=True,
    ),
    PrizeTemplate(
        "top",
        gettext_noop("Final of the best: 50 / 19.2 / 6.7 / 6.7 percent, consolation 12.5 / 5"),
        gettext_noop("For qualifying rounds with a final bracket, for example 48 entries and a final of 8."),
        lambda field: (
            *by_place(field.top, 60, 23),
            semifinalists(field.top, 8),
            *by_place(CONSOLATION, 15, 6),
        ),
        _never,
    ),
    PrizeTemplate(
        "pairs",
        gettext_noop("Two places: two thirds and one third"),
        gettext_noop("A fixed 50 is set aside for the last chance if one is played."),
        _last_chance_set_aside,
        lambda field: field.kind in (Kind.SWISS, Kind.MONRAD) and field.entries <= 8,
    ),
    PrizeTemplate(
        "double",
        gettext_noop("Double elimination: 40 unbeaten, 40 final, 20 other finalist"),
        gettext_noop(
            "40 percent to the entry that reaches the final unbeaten, 20 to the other finalist, 40 to the winner of the"
            " final."
        ),
        _double_elimination,
        lambda field: field.kind is Kind.DOUBLE,
    ),
    PrizeTemplate(
        "everybody",
        gettext_noop("Everybody is paid: 50 / 25 percent, the rest falling"),
        gettext_noop(
            "Half to the winner, a quarter to the second, and a quarter in falling steps over all others."
        ),
        _everybody,
        lambda field: field.kind is Kind.ROUND_ROBIN,
    ),
    PrizeTemplate(
        "wins",
        gettext_noop("Each match won: 20, and 50 / 25 / 15 / 10 percent of the rest"),
        gettext_noop("A fixed 20 for each match won. Four places share what is left of the pot."),
        lambda field: (*by_place(field.top, 50, 25, 15, 10), _each_win(field, 20)),
        _never,
    ),
    PrizeTemplate(
        "four",
        gettext_noop("Four places: 50 / 25 / 15 / 10 percent"),
        gettext_noop("For rankings without a semifinal: Swiss rounds, Monrad, chouettes."),
        lambda field: by_place(field.top, 50, 25, 15, 10),
        lambda field: field.kind in (Kind.SWISS, Kind.MONRAD),
    ),
    SERIES,
    PrizeTemplate(
        "three",
        gettext_noop("Three left: 3 / 2 / 1 parts, and a tenth for each of the two who play"),
        gettext_noop(
            "For lives: when three are left and one has a bye, the two who play get a tenth of the pot each. Each of"
            " the three expects the same."
        ),
        _last_three(6, 24, 16, 8),
        _never,
    ),
    PrizeTemplate(
        "three_swiss",
        gettext_noop("Three left: 32 / 20 / 13 parts, and a twelfth for each of the two who play"),
        gettext_noop(
            "For lives that are paired as in Swiss rounds. Each of the three expects the same here too."
        ),
        _last_three(13, 64, 40, 26),
        _never,
    ),
)
