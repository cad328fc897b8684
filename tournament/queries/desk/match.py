"""Data of one match at the desk: the cards side by side, their differences and the current result. Reads only."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from matches.card_totals import CardTotals, stored_card_totals
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, MatchState, RowKind
from rules.card_comparison import compare
from rules.score import Score, ScoredEntry
from tournament.brackets.states import current_results
from tournament.models import Pairing, Question, Result
from tournament.models.desk import QuestionKind
from tournament.queries.brackets.bracket_context import match_number
from tournament.queries.brackets.pairing_state import pairing_state
from tournament.queries.brackets.round_names import round_code
from tournament.results.posting import points_by_side

ANSWERABLE = (MatchState.REPORTED, MatchState.DISPUTED)


@dataclass(frozen=True, slots=True)
class DeskCardLine:
    """A row that counts, and the score after it. `differs`: another card has another row here, or none.

    `scored` is the row as scored by the rules; None for a final score.
    """

    row: CardRow
    left: int
    right: int
    is_crawford: bool
    scored: ScoredEntry | None = None
    differs: bool = False


@dataclass(frozen=True, slots=True)
class SupersededLine:
    """A superseded row, and the row that struck or corrected it."""

    row: CardRow
    superseded_by: CardRow

    @property
    def is_struck(self) -> bool:
        return self.superseded_by.kind == RowKind.STRIKE


@dataclass(frozen=True, slots=True)
class DeskCard:
    """One keeper's card; `tail` is the predecessor of its next row. `name` is empty for the desk's card.

    `stop` is the row that records that time is over; `score` is None without a game or a penalty.
    """

    keeper: Keeper
    name: str
    lines: tuple[DeskCardLine, ...]
    left: int
    right: int
    is_complete: bool
    tail: uuid.UUID
    is_report: bool = False
    superseded: tuple[SupersededLine, ...] = ()
    stop: CardRow | None = None
    score: Score | None = None

    @property
    def can_be_stopped(self) -> bool:
        """True if the desk can write that time is over: in a session without an agreed number of games."""
        score = self.score
        return score is not None and score.length is None and score.agreed is None and not self.is_complete

    @property
    def is_empty(self) -> bool:
        return not self.lines and self.stop is None

    @property
    def rows(self) -> tuple[CardRow, ...]:
        """All rows that count."""
        stops = () if self.stop is None else (self.stop,)
        return (*(line.row for line in self.lines), *stops)

    @property
    def is_final_only(self) -> bool:
        return any(line.scored is None for line in self.lines)


@dataclass(frozen=True, slots=True)
class LateCard:
    """A row that arrived after the result was posted. The points are None for a single game or penalty."""

    question: Question
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class DeskMatchPage:
    """`cards` are those of both players and the desk, also empty ones; none before the match is open."""

    pairing: Pairing
    number: str
    match: Match | None
    round_name: str
    bracket: str
    names: tuple[str, str]
    cards: tuple[DeskCard, ...]
    result: Result | None
    questions: tuple[Question, ...]

    @property
    def is_known(self) -> bool:
        """True if both players are known."""
        return self.pairing.left_id is not None and self.pairing.right_id is not None

    @property
    def has_lines(self) -> bool:
        """True if any card has or had a row."""
        return any(card.rows or card.superseded for card in self.cards)

    @property
    def report(self) -> DeskCard | None:
        """The card that waits to be confirmed."""
        is_reported = self.match is not None and self.match.state == MatchState.REPORTED
        return next((card for card in self.cards if card.is_report), None) if is_reported else None

    @property
    def other_questions(self) -> tuple[Question, ...]:
        """The questions about records."""
        return tuple(question for question in self.questions if question.kind == QuestionKind.RECORD)

    @property
    def late_cards(self) -> tuple[LateCard, ...]:
        """The open questions about cards that came in after the result was posted."""
        late = (question for question in self.questions if question.kind == QuestionKind.LATE_CARD)
        return tuple(LateCard(question, *self._late_score(question)) for question in late)

    def _late_score(self, question: Question) -> tuple[int | None, int | None]:
        points = question.detail.get("left"), question.detail.get("right")
        return points_by_side(self.match, self.pairing.left_id, points) if self.match else (None, None)

    @property
    def can_rule(self) -> bool:
        return self.match is not None and self.match.state in ANSWERABLE

    @property
    def state(self) -> str:
        return pairing_state(
            self.pairing.settled,
            self.match.state if self.match else None,
            is_posted=self.result is not None,
            has_begun=self.match is not None and self.match.has_begun,
        )

    @property
    def winner_name(self) -> str:
        """The winner of the current result; empty if there is none."""
        winner = self.result.winner_id if self.result else None
        return {self.pairing.left_id: self.names[0], self.pairing.right_id: self.names[1]}.get(winner, "")

    def row(self, key: str) -> tuple[DeskCard, CardRow] | None:
        """Returns the row of this key, if it counts, and its card."""
        rows = ((card, row) for card in self.cards for row in card.rows)
        return next(((card, row) for card, row in rows if str(row.key) == key), None)


def load_desk_match(pairing: Pairing) -> DeskMatchPage:
    """`pairing` is loaded with its match, round, bracket and both players."""
    names = (_name(pairing, "left"), _name(pairing, "right"))
    match = pairing.match
    questions = Question.objects.filter(match=match, closed_at__isnull=True) if match else ()
    result = current_results([pairing.pk]).get(pairing.pk)
    bracket = pairing.round.bracket
    return DeskMatchPage(
        pairing=pairing,
        number=match_number(pairing),
        match=match,
        round_name=round_code(bracket, pairing.round_id),
        bracket=bracket.key,
        names=names,
        cards=_mark_differences(_cards(match, names)) if match else (),
        result=None if result is None or result.kind == "retracted" else result,
        questions=tuple(questions),
    )


def _name(pairing: Pairing, seat: str) -> str:
    entry = getattr(pairing, seat)
    return entry.name if entry is not None else ""


def _cards(match: Match, names: tuple[str, str]) -> list[DeskCard]:
    stored = {card.keeper: card for card in match.cards.prefetch_related("rows")}
    names_by_keeper: Mapping[Keeper, str] = {Keeper.LEFT: names[0], Keeper.RIGHT: names[1], Keeper.DESK: ""}
    return [_card(match, keeper, name, stored.get(keeper.value)) for keeper, name in names_by_keeper.items()]


def _card(match: Match, keeper: Keeper, name: str, card: Card | None) -> DeskCard:
    if card is None:
        return DeskCard(keeper, name, (), 0, 0, is_complete=False, tail=match.pk)
    totals = stored_card_totals(card, match)
    return DeskCard(
        keeper=keeper,
        name=name,
        lines=_lines(totals),
        stop=totals.stop,
        score=replace(totals.lines[-1].after, agreed=totals.agreed) if totals.lines else None,
        left=card.left_points,
        right=card.right_points,
        is_complete=card.is_complete,
        tail=card.tail,
        is_report=match.reported_by == keeper.value,
        superseded=_superseded_lines(list(card.rows.all())),
    )


def _superseded_lines(rows: Sequence[CardRow]) -> tuple[SupersededLine, ...]:
    by_superseded = {row.supersedes_id: row for row in rows}
    written = (row for row in rows if row.kind != RowKind.STRIKE)
    return tuple(SupersededLine(row, by_superseded[row.key]) for row in written if row.key in by_superseded)


def _lines(totals: CardTotals) -> tuple[DeskCardLine, ...]:
    if totals.rows and totals.rows[0].kind == RowKind.FINAL:
        return (DeskCardLine(totals.rows[0], totals.left, totals.right, is_crawford=False),)
    return tuple(
        DeskCardLine(row, line.after.left, line.after.right, line.is_crawford, line)
        for row, line in zip(totals.rows, totals.lines, strict=True)
    )


def _mark_differences(cards: Sequence[DeskCard]) -> tuple[DeskCard, ...]:
    """Marks each line that differs from another non-empty card or is missing there."""
    written = [card for card in cards if card.lines]
    return tuple(
        _mark_lines(card, {key for other in written for key in _keys_that_differ(card, other)})
        if card in written
        else card
        for card in cards
    )


def _mark_lines(card: DeskCard, keys: Collection[uuid.UUID]) -> DeskCard:
    return replace(card, lines=tuple(replace(line, differs=line.row.key in keys) for line in card.lines))


def _keys_that_differ(card: DeskCard, other: DeskCard) -> list[uuid.UUID]:
    """Keys of the lines of this card that the other card lacks or has differently."""
    if card.is_final_only or other.is_final_only:
        same = (card.left, card.right, card.is_final_only) == (other.left, other.right, other.is_final_only)
        return [] if same else [line.row.key for line in card.lines]
    lines = iter(card.lines)
    beside = compare(
        [line.scored for line in card.lines if line.scored],
        [line.scored for line in other.lines if line.scored],
    )
    pairs = [(next(lines), pair) for pair in beside if pair.left is not None]
    return [line.row.key for line, pair in pairs if not pair.is_agreed]
