"""Data of a match on the phone of one of its players: both cards and the next possible rows. Reads only.

Points and wins are relative to the player of the phone: `mine` and `theirs`.
"""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from matches.card_totals import CardTotals, card_totals
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.rows import NewRow, build_row
from matches.scorecard import row_to_undo
from rules.card import Choices, choices
from rules.problem import Problem, RuleBroken
from rules.ruleset import Ruleset
from rules.score import Game, Score, ScoredEntry, Side
from tournament.brackets.states import current_results
from tournament.models import Entry, Event, Pairing, Result, Round, Tournament
from tournament.queries.brackets.pairing_state import decided_how
from tournament.queries.brackets.round_names import round_code
from tournament.queries.room.called import CurrentCall, current_calls
from tournament.results.desk import may_undo_confirmation


@dataclass(frozen=True, slots=True)
class PhoneCardLine:
    """One line of a card. `game` is None for penalty points and for a final score."""

    key: uuid.UUID
    kind: str
    number: int | None
    is_mine: bool
    game: Game | None
    credited: int
    mine: int
    theirs: int
    is_crawford: bool
    remarks: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class PhoneCard:
    """A card with its totals. `tail` is the predecessor of the next row; `last` is the line that an undo strikes.

    `rows` are all rows of the card, including struck ones. `stop_key` is the row that records that time is over.
    """

    keeper: Keeper
    tail: uuid.UUID
    mine: int
    theirs: int
    is_complete: bool
    is_won: bool
    lines: tuple[PhoneCardLine, ...]
    last: PhoneCardLine | None
    score: Score
    rows: tuple[CardRow, ...] = ()
    scored: tuple[ScoredEntry, ...] = ()
    stop_key: uuid.UUID | None = None

    @property
    def is_empty(self) -> bool:
        return not self.lines

    @property
    def is_final_only(self) -> bool:
        return any(line.kind == RowKind.FINAL for line in self.lines)


@dataclass(frozen=True, slots=True)
class PhoneMatch:
    """Data for the phone of the player on `side`. `confirmed_at`: the time of the report's automatic confirmation."""

    match: Match
    event: Event
    tournament: Tournament
    bracket_id: uuid.UUID
    bracket: str
    round_name: str
    to: Round
    side: Side
    me: Entry
    other: Entry
    own: PhoneCard
    others: PhoneCard
    choices: Choices
    ruleset: Ruleset
    confirmed_at: datetime | None
    stamp: str
    called: CurrentCall | None = None
    result: Result | None = None

    @property
    def how(self) -> str:
        """The kind of a posted result that was not played, such as a walkover; else empty."""
        return decided_how("", self.result.kind) if self.result else ""

    @property
    def points(self) -> tuple[int | None, int | None]:
        """Mine and theirs, from the posted result (None if it has no score), else from the visible card."""
        if self.result is None:
            return self.visible_card.mine, self.visible_card.theirs
        left, right = self.result.left_points, self.result.right_points
        return (left, right) if self.match.side_of(self.result.left_id) is self.side else (right, left)

    @property
    def counts_otherwise(self) -> bool:
        """True if the score of the posted result differs from the score of the visible card."""
        return self.result is not None and self.points not in (
            (None, None),
            (self.visible_card.mine, self.visible_card.theirs),
        )

    @property
    def shows_other(self) -> bool:
        """True if only the opponent keeps a card and one card is sufficient: the phone then shows their score."""
        return self.own.is_empty and not self.others.is_empty and not self.tournament.two_cards

    @property
    def looks_on(self) -> bool:
        """True if the player follows the opponent's card and needs none of their own."""
        return not self.tournament.two_cards and (self.shows_other or self.is_reported_by_other)

    @property
    def has_other_score(self) -> bool:
        """True if both players write a card where one is enough, and the scores differ."""
        if self.tournament.two_cards:
            return False
        are_begun = not (self.own.is_empty or self.others.is_empty)
        own_score, other_score = ((card.mine, card.theirs) for card in (self.own, self.others))
        return self.match.state == MatchState.OPEN and are_begun and own_score != other_score

    @property
    def asks_to_confirm(self) -> bool:
        """True if the opponent's card alone decides: the phone then asks this player one question."""
        return self.is_reported_by_other and not self.tournament.two_cards

    @property
    def visible_card(self) -> PhoneCard:
        return self.others if self.shows_other else self.own

    @property
    def is_crawford(self) -> bool:
        """True if the current game is the Crawford game, by the visible card."""
        return choices(self.visible_card.score, self.ruleset).is_crawford

    @property
    def next_game(self) -> int:
        return self.own.score.games + 1

    @property
    def can_be_stopped(self) -> bool:
        """True if the player can write that time is over: once, in a session without an agreed number of games."""
        is_by_time = self.match.length is None and self.match.games is None
        return is_by_time and self.takes_rows and self.own.stop_key is None

    @property
    def is_reported_by_other(self) -> bool:
        return self.match.state == "reported" and self.match.reported_by == self.side.other.value

    @property
    def is_reported_by_me(self) -> bool:
        return self.match.state == "reported" and self.match.reported_by == self.side.value

    @property
    def is_open(self) -> bool:
        """True if the player can still write and strike rows."""
        return self.match.state in ("open", "reported", "disputed")

    @property
    def may_undo_confirmation(self) -> bool:
        return self.result is not None and may_undo_confirmation(
            self.result, self.own.keeper, is_own_card_complete=self.own.is_complete
        )

    @property
    def takes_rows(self) -> bool:
        """True if the player can write another game."""
        return self.is_open and not self.own.is_complete


@dataclass(frozen=True, slots=True)
class RowPreview:
    """The effect that a row would have on the player's card. Nothing is written."""

    is_mine: bool
    credited: int
    mine: int
    theirs: int
    ends_match: bool
    remarks: tuple[Problem, ...] = ()


def load_phone_match(pairing: Pairing, keeper: Keeper) -> PhoneMatch:
    """`keeper` is one of the two players; `pairing` is loaded with both. Raises ValueError for anybody else."""
    match, side = pairing.match, keeper.side
    if match is None or side is None or pairing.left is None or pairing.right is None:
        raise ValueError("only a player of an open match has it on the phone")
    cards = {card.keeper: card for card in match.cards.prefetch_related("rows")}
    own, others = (
        _card(match, cards.get(owner.value), Keeper(owner.value), side) for owner in (side, side.other)
    )
    ruleset = Ruleset.from_json(match.ruleset)
    tournament = pairing.round.bracket.tournament
    is_left = match.side_of(pairing.left.pk) is side
    return PhoneMatch(
        match=match,
        event=tournament.event,
        tournament=tournament,
        bracket_id=pairing.round.bracket_id,
        bracket=pairing.round.bracket.key,
        round_name=round_code(pairing.round.bracket, pairing.round_id),
        to=pairing.round,
        side=side,
        me=pairing.left if is_left else pairing.right,
        other=pairing.right if is_left else pairing.left,
        own=own,
        others=others,
        choices=choices(own.score, ruleset),
        ruleset=ruleset,
        confirmed_at=_confirmed_at(match, tournament),
        stamp=phone_stamp(pairing),
        called=current_calls([match.pk]).get(match.pk),
        result=current_results([pairing.pk]).get(pairing.pk) if match.state == MatchState.POSTED else None,
    )


def reload_phone_match(pairing: Pairing, keeper: Keeper) -> PhoneMatch:
    """Like `load_phone_match`, after a change of the match: reads the match again, but not its pairing."""
    if pairing.match is not None:
        pairing.match.refresh_from_db()
    return load_phone_match(pairing, keeper)


def phone_stamp(pairing: Pairing) -> str:
    """Returns a stamp that changes with everything on the page. Needs no query."""
    match = pairing.match
    return f"{match.pk}-{match.version}-{match.state}" if match is not None else "none"


def preview_row(match: Match, side: Side, writing: NewRow) -> RowPreview:
    """Previews the row on the card of this side. Raises RuleBroken if the row is impossible."""
    keeper = Keeper(side.value)
    card = match.cards.filter(keeper=keeper.value).first() or Card(
        match=match, keeper=keeper.value, tail=match.pk
    )
    rows = [] if card.rows_written == 0 else list(card.rows.all())
    before = card_totals(match, rows)
    after = card_totals(match, [*rows, build_row(card, writing, keeper)])
    if after.problem is not None:
        raise RuleBroken(after.problem)
    points_gained = _mine_and_theirs(side, after.left - before.left, after.right - before.right)
    mine, theirs = _mine_and_theirs(side, after.left, after.right)
    return RowPreview(
        is_mine=points_gained[0] > points_gained[1],
        credited=max(points_gained),
        mine=mine,
        theirs=theirs,
        ends_match=after.winner != "",
        remarks=after.lines[-1].remarks if after.lines else (),
    )


def _card(match: Match, card: Card | None, keeper: Keeper, side: Side) -> PhoneCard:
    rows = [] if card is None else list(card.rows.all())
    totals = card_totals(match, rows)
    lines = _lines(totals, side)
    last_row = row_to_undo(rows)
    mine, theirs = _mine_and_theirs(side, totals.left, totals.right)
    stops = [_stop_line(totals.stop, mine, theirs)] if totals.stop else []
    return PhoneCard(
        keeper=keeper,
        tail=match.pk if card is None else card.tail,
        mine=mine,
        theirs=theirs,
        is_complete=totals.winner != "",
        is_won=totals.winner == side.value,
        lines=lines,
        last=next(
            (line for line in (*lines, *stops) if last_row is not None and line.key == last_row.key), None
        ),
        score=replace(totals.lines[-1].after, agreed=totals.agreed)
        if totals.lines
        else Score.start(match.length, Ruleset.from_json(match.ruleset), agreed=totals.agreed),
        stop_key=totals.stop.key if totals.stop else None,
        rows=tuple(rows),
        scored=totals.lines,
    )


def _lines(totals: CardTotals, side: Side) -> tuple[PhoneCardLine, ...]:
    if not totals.lines:
        return tuple(_final_line(row, side) for row in totals.rows)
    return tuple(_line(row, scored, side) for row, scored in zip(totals.rows, totals.lines, strict=True))


def _line(row: CardRow, scored: ScoredEntry, side: Side) -> PhoneCardLine:
    mine, theirs = _mine_and_theirs(side, scored.after.left, scored.after.right)
    return PhoneCardLine(
        key=row.key,
        kind=row.kind,
        number=scored.number,
        is_mine=row.winner == side.value,
        game=scored.entry if isinstance(scored.entry, Game) else None,
        credited=scored.credited,
        mine=mine,
        theirs=theirs,
        is_crawford=scored.is_crawford,
        remarks=tuple(problem for problem in scored.remarks if not problem.is_error),
    )


def _stop_line(row: CardRow, mine: int, theirs: int) -> PhoneCardLine:
    return PhoneCardLine(
        row.key,
        row.kind,
        None,
        is_mine=False,
        game=None,
        credited=0,
        mine=mine,
        theirs=theirs,
        is_crawford=False,
    )


def _final_line(row: CardRow, side: Side) -> PhoneCardLine:
    mine, theirs = _mine_and_theirs(side, row.left_points or 0, row.right_points or 0)
    return PhoneCardLine(row.key, row.kind, None, mine > theirs, None, 0, mine, theirs, is_crawford=False)


def _mine_and_theirs(side: Side, left: int, right: int) -> tuple[int, int]:
    return (left, right) if side is Side.LEFT else (right, left)


def _confirmed_at(match: Match, tournament: Tournament) -> datetime | None:
    if match.reported_at is None or tournament.confirm_after is None or tournament.two_cards:
        return None
    return match.reported_at + timedelta(minutes=tournament.confirm_after)
