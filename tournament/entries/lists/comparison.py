"""Compares a listing with the players of an event: new players, changes and conflicts.

Pure: the caller passes in the players. A blank cell changes nothing.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from types import MappingProxyType
from uuid import UUID

from tournament.entries.entry_check import EntryFacts, EntryProblem, ProblemKind, find_problems
from tournament.entries.lists import remarks
from tournament.entries.lists.choices import CONDITION_OF, fit_choices
from tournament.entries.lists.listing import Line, Listing, Trouble
from tournament.entries.lists.matching import Answers, ExistingPlayer, Matching, has_same_number
from tournament.fees.amounts import Amount
from tournament.fees.schedule import FeeSchedule
from tournament.runtime.text import abbreviate, comparison_key

Value = str | int | Decimal | bool | Amount | None

PLAYER_FIELDS = ("name", "country", "club", "team", "federation_id", "rating")
ENTRY_FIELDS = ("seed", "paid", "checked_in")
PAID_AMOUNT = "paid_amount"


@dataclass(frozen=True, slots=True)
class Change:
    """A field of a player or entry, before and after."""

    field: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """The effect of a line: a new player (`player` is None), an existing player to enter, or changes.

    `candidates` are players of the event who could be the same person, so that a person should decide.
    """

    line: Line
    player: ExistingPlayer | None
    changes: tuple[Change, ...] = ()
    candidates: tuple[ExistingPlayer, ...] = ()

    @property
    def player_id(self) -> UUID | None:
        return self.player.player_id if self.player else None

    @property
    def entry_id(self) -> UUID | None:
        return self.player.entry_id if self.player else None

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Names of other tournaments that show changes of this player too."""
        return self.player.elsewhere if self.player else ()

    @property
    def payment(self) -> Amount | None:
        """The payment in advance that the line adds to those of earlier imports."""
        before = self.player.imported if self.player else None
        paid = self.line.paid_amount
        payment = paid - before if paid and before else paid
        return payment or None

    def changes_of(self, fields: Iterable[str]) -> list[Change]:
        return [change for change in self.changes if change.field in fields]


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of importing a list. `digest` covers all of it and the current state of the players.

    `unclear` lines are left out, because they could be several players.
    """

    added: tuple[PlannedLine, ...]
    changed: tuple[PlannedLine, ...]
    unchanged: tuple[PlannedLine, ...]
    unclear: tuple[PlannedLine, ...]
    troubles: tuple[Trouble, ...]
    digest: str


def compare(
    listing: Listing,
    players: Sequence[ExistingPlayer],
    answers: Answers = MappingProxyType({}),
    schedule: FeeSchedule | None = None,
    *,
    above_debt: bool = False,
) -> Preview:
    """Compares a listing with the players of the event, in this tournament or in another.

    Cells about side pools that a player may not join by the fees are left out, and without `above_debt` payments of
    more than the player owes.
    """
    matching = Matching(listing.rows, players, answers)
    unclear = matching.unclear_lines()
    clear = [line for line in listing.rows if line.number not in unclear]
    fitted, misfits = _fit_lines(clear, matching, schedule or FeeSchedule(""), above_debt=above_debt)
    planned, conflicts = _legal_lines(fitted, players)
    candidates = matching.candidates()
    asked = [replace(item, candidates=candidates.get(item.line.number, ())) for item in planned]
    left_out = [
        PlannedLine(line, None, candidates=unclear[line.number])
        for line in listing.rows
        if line.number in unclear
    ]
    warnings = chain.from_iterable(map(_warnings, asked))
    troubles = _by_line(listing.problems, map(_unclear, left_out), misfits, conflicts, warnings)
    return Preview(
        added=tuple(item for item in asked if item.entry_id is None),
        changed=tuple(item for item in asked if item.entry_id and item.changes),
        unchanged=tuple(item for item in asked if item.entry_id and not item.changes),
        unclear=tuple(left_out),
        troubles=tuple(troubles),
        digest=_digest([*asked, *left_out], troubles),
    )


def _by_line(*troubles: Iterable[Trouble]) -> list[Trouble]:
    return sorted(chain.from_iterable(troubles), key=lambda trouble: trouble.line or 0)


def _fit_lines(
    lines: Sequence[Line], matching: Matching, schedule: FeeSchedule, *, above_debt: bool
) -> tuple[list[PlannedLine], list[Trouble]]:
    planned, troubles = [], []
    for line in lines:
        player = matching.player_of.get(line.number)
        fitted, misfit = fit_choices(line, player, schedule)
        fitted, unfit_payment = _fit_payment(fitted, player, above_debt=above_debt)
        troubles += [trouble for trouble in (misfit, unfit_payment) if trouble]
        planned.append(_plan_line(fitted, player))
    return planned, troubles


def _fit_payment(
    line: Line, player: ExistingPlayer | None, *, above_debt: bool
) -> tuple[Line, Trouble | None]:
    """The line without a payment below those of earlier imports or above the debt, with a remark on it.

    The debt is not compared with a line that changes what is charged.
    """
    payment = PlannedLine(line, player).payment
    if player is None or line.paid_amount is None or payment is None:
        return line, None
    name, amount = abbreviate(line.name), str(line.paid_amount)
    if player.imported and payment.minor < 0:
        trouble = remarks.LESS_PAID.on(line.number, name=name, before=str(player.imported), amount=amount)
        return replace(line, paid_amount=None), trouble
    owed = max((player.owed or Amount(0, payment.currency)).minor, 0)
    if above_debt or player.entry_id is None or payment.minor <= owed or _changes_choices(line, player):
        return line, None
    owed_text = str(Amount(owed, payment.currency))
    trouble = remarks.PAID_ABOVE_DEBT.on(line.number, name=name, payment=str(payment), owed=owed_text)
    return replace(line, paid_amount=None), trouble


def _changes_choices(line: Line, player: ExistingPlayer) -> bool:
    return any((column in player.choices) is not answer for column, answer in line.choices)


def changes_for(line: Line, player: ExistingPlayer) -> tuple[Change, ...]:
    """Returns the changes of a player, and of an entry of the player in this tournament, if the line is this player."""
    fields = PLAYER_FIELDS if player.entry_id is None else PLAYER_FIELDS + ENTRY_FIELDS
    values = ((field, getattr(player, field), getattr(line, field)) for field in fields)
    changes = [Change(field, before, after) for field, before, after in values if after not in ("", None)]
    if player.entry_id is not None and line.paid_amount is not None:
        changes.append(Change(PAID_AMOUNT, player.imported, line.paid_amount))
    choices = (Change(column.value, column in player.choices, answer) for column, answer in line.choices)
    if player.entry_id is None:
        choices = (change for change in choices if change.after and change.field in CONDITION_OF)
    return tuple(change for change in (*changes, *choices) if change.before != change.after)


def _plan_line(line: Line, player: ExistingPlayer | None) -> PlannedLine:
    return PlannedLine(line, player, changes_for(line, player) if player else ())


def _unclear(item: PlannedLine) -> Trouble:
    return remarks.UNCLEAR.on(item.line.number, name=abbreviate(item.line.name))


def _legal_lines(
    planned: Sequence[PlannedLine], players: Sequence[ExistingPlayer]
) -> tuple[list[PlannedLine], list[Trouble]]:
    """Clears seeds and federation numbers that another entry keeps. Leaves out lines that break another rule.

    An entry whose new seed is cleared keeps its own seed, which may make the seed of another line taken.
    """
    legal = list(planned)
    troubles: list[Trouble] = []
    while problems := _problems(legal, players):
        line_troubles = {item.line.number: trouble for item, _, trouble in problems}
        troubles += line_troubles.values()
        cleared = {item.line.number: line for item, line, _ in problems}
        legal = [
            item if line is item.line else _plan_line(line, item.player)
            for item in legal
            if (line := cleared.get(item.line.number, item.line)) is not None
        ]
    return legal, troubles


def _problems(
    planned: Sequence[PlannedLine], players: Sequence[ExistingPlayer]
) -> list[tuple[PlannedLine, Line | None, Trouble]]:
    """Returns each line that breaks a rule, the line without what breaks it, and the trouble.

    Entries that keep seed and federation number are checked first, so that the others give way.
    """
    listed_players = {item.player_id for item in planned}
    others = [_facts_of_player(player) for player in players if player.player_id not in listed_players]
    items = sorted(planned, key=lambda item: item.line.seed is not None or _changes_federation_id(item))
    problems = find_problems([_facts_of_line(item) for item in items], others)
    first_problems = {problem.position: problem for problem in reversed(problems)}
    return [(items[at], *_resolve(items[at].line, problem)) for at, problem in first_problems.items()]


def _resolve(line: Line, problem: EntryProblem) -> tuple[Line | None, Trouble]:
    holder = abbreviate(problem.holder.name) if problem.holder else ""
    if problem.kind is ProblemKind.SEED_TAKEN and line.seed is not None:
        return replace(line, seed=None), remarks.SEED_HELD.on(line.number, seed=line.seed, name=holder)
    if problem.kind is ProblemKind.FEDERATION_ID_TAKEN and line.federation_id:
        value = abbreviate(line.federation_id)
        return replace(line, federation_id=""), remarks.ID_HELD.on(line.number, value=value, name=holder)
    return None, remarks.NAME_ENTERED.on(line.number, name=abbreviate(line.name))


def _changes_federation_id(item: PlannedLine) -> bool:
    return bool(item.changes_of(("federation_id",)))


def _facts_of_line(item: PlannedLine) -> EntryFacts:
    line, player = item.line, item.player
    if player is None:
        return EntryFacts(line.name, line.club, line.federation_id, line.seed)
    return EntryFacts(
        line.name or player.name,
        line.club or player.club,
        line.federation_id or player.federation_id,
        player.seed if line.seed is None else line.seed,
        player.player_id,
    )


def _facts_of_player(player: ExistingPlayer) -> EntryFacts:
    return EntryFacts(
        player.name,
        player.club,
        player.federation_id,
        player.seed,
        player.player_id,
        number=1 if player.entry_id else 0,
    )


def _warnings(item: PlannedLine) -> Iterable[Trouble]:
    """Yields warnings about changes that are made but should be checked."""
    line, player = item.line, item.player
    is_renamed = player is not None and comparison_key(player.name) != comparison_key(line.name)
    if player is not None and is_renamed and has_same_number(line, player):
        params = {
            "before": abbreviate(player.name),
            "after": abbreviate(line.name),
            "value": abbreviate(line.federation_id),
        }
        yield remarks.OTHER_NAME.on(line.number, **params)
    if player is not None and player in item.candidates and player.entry_id is None and player.elsewhere:
        yield remarks.ALSO_ELSEWHERE.on(
            line.number, name=abbreviate(player.name), tournaments=", ".join(player.elsewhere)
        )
    if player is not None and player.withdrawn:
        yield remarks.WITHDRAWN.on(line.number, name=abbreviate(player.name))


def _digest(planned: Sequence[PlannedLine], troubles: Sequence[Trouble]) -> str:
    lines = [
        (item.line, item.player_id, item.entry_id, item.changes, item.candidates, item.payment)
        for item in planned
    ]
    problems = [(trouble.line, trouble.code) for trouble in troubles]
    return hashlib.sha256(repr((lines, problems)).encode("utf-8", "surrogatepass")).hexdigest()
