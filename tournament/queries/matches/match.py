"""Public data of a match: players, score, games, and verdicts of its game records. Reads only.

The games of an undecided match follow the score visibility of the reader. Contains no other unposted cards, no
questions of the desk, no files and uploaders, and no text from a file.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from matches.card_totals import CardTotals, as_entry, stored_card_totals
from matches.models import GameRecord, Match, RecordState, RowKind
from rules.score import Game, Side
from tournament.access.score_visibility import score_visibility, visible_card, visible_match, visible_stamp
from tournament.brackets.states import current_results
from tournament.models import Entry, Pairing, Question, Result, ResultKind
from tournament.models.desk import QuestionKind
from tournament.queries.brackets.bracket_context import match_number
from tournament.queries.brackets.pairing_state import decided_how, pairing_state
from tournament.queries.brackets.round_names import round_code
from tournament.queries.records import RecordDetails, RecordProblem, load_record
from tournament.queries.room.called import CurrentCall, current_calls
from tournament.records.player_matching import Names

MOST_RECORDS = 3
NAMELESS: Names = ("", "")


@dataclass(frozen=True, slots=True)
class PublicSide:
    """One of the two players. `points` is None before the match has begun."""

    entry: Entry
    points: int | None
    is_winner: bool


@dataclass(frozen=True, slots=True)
class PublicLine:
    """One line of a card and the score after it. `game` is None for penalty points.

    `left` and `right` are points, and `is_left` is the winner, by the seats of the pairing.
    """

    number: int | None
    is_left: bool
    game: Game | None
    credited: int
    left: int
    right: int
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class PublicRecord:
    """The verdict of a checked game record. `first` is the first independent error with a board."""

    id: uuid.UUID
    errors: int
    following: int
    games: int
    is_finished: bool
    first: RecordProblem | None

    @property
    def is_clean(self) -> bool:
        return self.errors == 0


@dataclass(frozen=True, slots=True)
class PublicMatch:
    """`state` and `how` are those of a bracket; `records` is empty until the result is posted.

    `lines` are the games so far that the reader may see. `is_ruled`: the desk decided it.
    """

    id: uuid.UUID
    number: str
    bracket_id: uuid.UUID
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    state: str
    how: str
    is_crawford: bool
    sides: tuple[PublicSide, PublicSide]
    lines: tuple[PublicLine, ...]
    is_final_only: bool
    records: tuple[PublicRecord, ...]
    called: CurrentCall | None = None
    is_ruled: bool = False

    @property
    def is_played_out(self) -> bool:
        """True if the match has a posted result of play."""
        return self.state == "decided" and not self.how


def load_match(match_id: uuid.UUID) -> Match:
    """Returns the stored match."""
    return Match.objects.get(pk=match_id)


def load_public_match(pairing: Pairing, match: Match, *, live: bool = False) -> PublicMatch:
    """`pairing` is loaded with its round, bracket and both players, as by `access.visible_pairing`.

    `live`: the reader sees running scores at once, even if spectators see them later.
    """
    result = current_results([pairing.pk]).get(pairing.pk)
    if result is not None and result.kind == ResultKind.RETRACTED:
        result = None
    is_played = result is not None and result.kind == ResultKind.PLAYED
    bracket = pairing.round.bracket
    visibility = score_visibility(bracket.tournament, live=live)
    visible = visible_match(match, visibility)
    totals = visible_card(match, visibility) if result is None else _posted_card(result, match)
    lines = _lines(totals, pairing, match) if totals else ()
    return PublicMatch(
        id=match.pk,
        number=match_number(pairing),
        bracket_id=bracket.pk,
        bracket=bracket.key,
        round_name=round_code(bracket, pairing.round_id),
        length=match.length,
        games=match.games,
        minutes=pairing.round.minutes,
        state=pairing_state(
            pairing.settled, visible.state, is_posted=result is not None, has_begun=match.has_begun
        ),
        how=decided_how(pairing.settled, result.kind if result else None),
        is_crawford=visible.is_crawford and result is None,
        sides=(
            _side(pairing.left, visible.left if match.left == pairing.left_id else visible.right, result),
            _side(pairing.right, visible.right if match.right == pairing.right_id else visible.left, result),
        ),
        lines=lines,
        is_final_only=is_played and not lines,
        records=tuple(_record(row) for row in checked_records(match)) if is_played else (),
        called=current_calls([match.pk]).get(match.pk),
        is_ruled=result is not None and _is_ruled(match),
    )


def match_stamp(pairing: Pairing, *, live: bool = False) -> str:
    """A stamp that changes with everything public about the match."""
    match = pairing.match
    bracket = pairing.round.bracket
    if match is None:
        return "none"
    stamp = visible_stamp(match, score_visibility(bracket.tournament, live=live))
    return f"{bracket.pk}-{bracket.version}-{stamp}"


def checked_records(match: Match) -> Sequence[GameRecord]:
    """Returns the game records with a public verdict, latest first."""
    rows = match.records.defer("data").filter(state=RecordState.CHECKED).select_related("match")
    return list(rows.order_by("-uploaded_at")[:MOST_RECORDS])


def _is_ruled(match: Match) -> bool:
    """True if the desk ruled on a dispute of this match. The ruling itself is not public."""
    questions = Question.objects.filter(match=match, kind=QuestionKind.DISAGREEMENT, closed_at__isnull=False)
    return questions.exclude(ruling="", closed_by=None).exists()


def first_public_error(record: RecordDetails) -> RecordProblem | None:
    """The first independent error with a board. Skips sentences that quote the file."""
    faults = (chain.first for chain in record.faults())
    errors_with_board = (
        fault
        for fault in faults
        if fault.problem.is_error and fault.board and "text" not in fault.problem.params
    )
    return next(errors_with_board, None)


def public_columns(record: RecordDetails) -> Names:
    """Returns the players in the file's columns if they are known; never the names in the file."""
    return record.columns if record.left_player else NAMELESS


def _record(row: GameRecord) -> PublicRecord:
    details = load_record(row).records[0]
    first = first_public_error(details)
    if first is not None and first.board is not None and not details.left_player:
        first = replace(first, board=replace(first.board, mover=""))
    return PublicRecord(
        id=row.pk,
        errors=details.errors,
        following=details.following,
        games=len(details.games),
        is_finished=details.is_finished,
        first=first,
    )


def _side(entry: Entry | None, running: int | None, result: Result | None) -> PublicSide:
    if entry is None:
        raise ValueError("an open match has two players")
    if result is None:
        return PublicSide(entry, running, is_winner=False)
    points = result.left_points if result.left_id == entry.pk else result.right_points
    return PublicSide(entry, points, is_winner=result.winner_id == entry.pk)


def _posted_card(result: Result, match: Match) -> CardTotals | None:
    """Returns the card of a played result; None for a final score that the desk entered."""
    if result.kind != ResultKind.PLAYED or result.card is None:
        return None
    return stored_card_totals(result.card, match)


def _lines(totals: CardTotals, pairing: Pairing, match: Match) -> tuple[PublicLine, ...]:
    """Returns the games of the card; none for a final score."""
    is_turned = match.left != pairing.left_id
    return tuple(
        PublicLine(
            number=scored.number,
            is_left=(row.winner == Side.LEFT) != is_turned,
            game=entry if isinstance(entry := as_entry(row), Game) else None,
            credited=scored.credited,
            left=scored.after.right if is_turned else scored.after.left,
            right=scored.after.left if is_turned else scored.after.right,
            is_crawford=scored.is_crawford,
        )
        for row, scored in zip(totals.rows, totals.lines, strict=False)
        if row.kind != RowKind.FINAL
    )
