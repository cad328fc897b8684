"""Data of the desk's page: matches by state, open questions and waiting phones of one tournament. Reads only.

The number of statements does not depend on the size of the tournament.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from matches.keepers import Keeper
from matches.models import Card, Match
from tournament.models import Pairing, PersonalLink, Question, Result, Tournament
from tournament.models.desk import QuestionKind
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import BracketView, PairingView
from tournament.queries.events.ends import TournamentEnd, find_end
from tournament.queries.readiness import readiness

LATE_SECONDS = 8.0
LATEST_DECIDED = 8
UNDECIDED = ("ready", "playing", "reported", "disputed")


@dataclass(frozen=True, slots=True)
class CardVersion:
    """The totals of one keeper's card. `name` is the player's; empty for the desk."""

    keeper: Keeper
    name: str
    left: int
    right: int
    is_complete: bool
    tail: uuid.UUID


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A pairing with the times and cards of its match. `report` is the unconfirmed reported card."""

    pairing: PairingView
    bracket: str
    round_name: str
    opened_at: datetime | None = None
    began_at: datetime | None = None
    reported_at: datetime | None = None
    versions: tuple[CardVersion, ...] = ()
    report: CardVersion | None = None

    @property
    def cards_differ(self) -> bool:
        """True if both players' cards are complete with different scores."""
        scores = {(card.left, card.right) for card in self.versions if card.is_complete and card.name}
        return len(scores) > 1

    @property
    def players(self) -> str:
        return f"{self.pairing.left.name} – {self.pairing.right.name}"


class _CardSummary(NamedTuple):
    """The columns of a card that the desk shows."""

    keeper: str
    left_points: int
    right_points: int
    winner: str
    tail: uuid.UUID


class _OpenMatch(NamedTuple):
    """The columns of an unfinished match that the desk shows."""

    cards: Sequence[_CardSummary]
    opened_at: datetime
    began_at: datetime | None
    reported_at: datetime | None
    reported_by: str


class QuestionNote(NamedTuple):
    """The words of a player's question; `by` is the player's name."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question for the desk. One ruling settles all disputes of a match, so they are one question.

    `asked_by` is the name of the player who asked first.
    """

    id: uuid.UUID
    kind: str
    asked_by: str
    notes: tuple[QuestionNote, ...]
    detail: Mapping[str, Any]
    opened_at: datetime
    line: DeskLine


@dataclass(frozen=True, slots=True)
class WaitingPhone:
    link: int
    name: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class DeskPage:
    """`lines` are all matches by number; `ready` and `reported` start with the longest wait.

    `broker_is_away` and `is_late` mean that players advance later than usual; nothing is lost. `unmoved` counts the
    results of all tournaments that wait for that. `end` names the winners once no match is left.
    """

    brackets: tuple[uuid.UUID, ...]
    lines: tuple[DeskLine, ...]
    playing: tuple[DeskLine, ...]
    ready: tuple[DeskLine, ...]
    reported: tuple[DeskLine, ...]
    questions: tuple[OpenQuestion, ...]
    phones: tuple[WaitingPhone, ...]
    decided: tuple[DeskLine, ...]
    waiting: int
    broker_is_away: bool
    is_late: bool
    unmoved: int
    end: TournamentEnd

    @property
    def is_played_for_a_time(self) -> bool:
        """True if a session with a time limit is in play."""
        return any(line.pairing.minutes is not None for line in self.playing)

    @property
    def open_lines(self) -> tuple[DeskLine, ...]:
        """All matches that can get a result, by number."""
        return tuple(line for line in self.lines if line.pairing.state in UNDECIDED)


def load_desk(tournament: Tournament) -> DeskPage:
    brackets = bracket_views(tournament, live=True)
    lines = _lines(tournament, brackets)
    system_state = readiness()
    is_late = (system_state.oldest_waiting or 0.0) > LATE_SECONDS
    return DeskPage(
        brackets=tuple(bracket.id for bracket in brackets),
        lines=tuple(lines),
        playing=_in_state(lines, "playing"),
        ready=_longest_wait_first(_in_state(lines, "ready"), lambda line: line.opened_at),
        reported=_longest_wait_first(_in_state(lines, "reported"), lambda line: line.reported_at),
        questions=_questions(tournament, lines),
        phones=_phones(tournament),
        decided=_decided(tournament, lines),
        waiting=len(_in_state(lines, "waiting")),
        broker_is_away=not system_state.broker,
        is_late=is_late,
        unmoved=0 if system_state.broker and not is_late else system_state.waiting,
        end=TournamentEnd() if _has_open_matches(lines) else find_end(tournament),
    )


def _has_open_matches(lines: Sequence[DeskLine]) -> bool:
    return not lines or any(line.pairing.state in (*UNDECIDED, "waiting") for line in lines)


def find_question(tournament: Tournament, question_id: uuid.UUID) -> Question | None:
    """Returns the question with its tournament; None if it belongs to another tournament."""
    questions = Question.objects.select_related("tournament")
    return questions.filter(tournament=tournament, pk=question_id).first()


def list_questions(tournament: Tournament) -> QuerySet[Question]:
    return Question.objects.filter(tournament=tournament)


def question_by_id(question_id: uuid.UUID) -> Question | None:
    """Returns the question with its event. The caller checks the permission."""
    return Question.objects.select_related("tournament__event").filter(pk=question_id).first()


def _lines(tournament: Tournament, brackets: Iterable[BracketView]) -> list[DeskLine]:
    """Returns all pairings except byes, in the order of the sheet."""
    rows = Pairing.objects.filter(round__bracket__tournament=tournament, settled="", match__isnull=False)
    open_matches = _open_matches(rows.values("match"))
    return [
        _line(
            pairing,
            bracket.key,
            round_view.name,
            open_matches.get(pairing.match_id) if pairing.match_id else None,
        )
        for bracket in brackets
        for round_view in bracket.rounds
        for pairing in round_view.pairings
        if pairing.state != "bye"
    ]


def _open_matches(matches: QuerySet[Any, Any]) -> Mapping[uuid.UUID, _OpenMatch]:
    """Returns these matches with their cards, the desk's card first."""
    cards: dict[uuid.UUID, list[_CardSummary]] = {}
    written = Card.objects.filter(match__in=matches).order_by("keeper")
    for match, *card in written.values_list("match_id", *_CardSummary._fields):
        cards.setdefault(match, []).append(_CardSummary(*card))
    rows = Match.objects.filter(pk__in=matches).values_list("pk", *_OpenMatch._fields[1:])
    return {pk: _OpenMatch(cards.get(pk, ()), *match) for pk, *match in rows}


def _line(pairing: PairingView, bracket: str, round_name: str, match: _OpenMatch | None) -> DeskLine:
    if match is None or pairing.state not in UNDECIDED:
        return DeskLine(pairing, bracket, round_name)
    versions = tuple(_card_version(card, pairing) for card in match.cards)
    report = next((card for card in versions if card.keeper.value == match.reported_by), None)
    opened_at, began_at, reported_at = match.opened_at, match.began_at, match.reported_at
    return DeskLine(pairing, bracket, round_name, opened_at, began_at, reported_at, versions, report)


def _card_version(card: _CardSummary, pairing: PairingView) -> CardVersion:
    names = {Keeper.LEFT: pairing.left.name, Keeper.RIGHT: pairing.right.name}
    keeper = Keeper(card.keeper)
    is_complete = card.winner != ""
    return CardVersion(
        keeper, names.get(keeper, ""), card.left_points, card.right_points, is_complete, card.tail
    )


def _in_state(lines: Iterable[DeskLine], state: str) -> tuple[DeskLine, ...]:
    return tuple(line for line in lines if line.pairing.state == state)


def _longest_wait_first(
    lines: Iterable[DeskLine], waiting_since: Callable[[DeskLine], datetime | None]
) -> tuple[DeskLine, ...]:
    """Sorts the longest wait first, equal waits by number."""
    waits = [(at, line) for line in lines if (at := waiting_since(line)) is not None]
    return tuple(line for _, line in sorted(waits, key=lambda wait: wait[0]))


def _questions(tournament: Tournament, lines: Iterable[DeskLine]) -> tuple[OpenQuestion, ...]:
    by_match = {line.pairing.match_id: line for line in lines}
    rows = Question.objects.filter(tournament=tournament, closed_at__isnull=True).order_by("opened_at", "pk")
    questions_by_matter: dict[uuid.UUID | tuple[str, uuid.UUID], list[Question]] = {}
    for row in rows:
        if row.match_id in by_match:
            is_disagreement = row.kind == QuestionKind.DISAGREEMENT
            questions_by_matter.setdefault(
                (row.kind, row.match_id) if is_disagreement else row.pk, []
            ).append(row)
    return tuple(
        _question(questions, by_match[questions[0].match_id]) for questions in questions_by_matter.values()
    )


def _question(rows: Sequence[Question], line: DeskLine) -> OpenQuestion:
    names = {"left": line.pairing.left.name, "right": line.pairing.right.name}
    notes = tuple(QuestionNote(names.get(row.asked_by, ""), row.note) for row in rows if row.note)
    first = rows[0]
    asked_by = names.get(first.asked_by, "")
    return OpenQuestion(first.pk, first.kind, asked_by, notes, first.detail, first.opened_at, line)


def _phones(tournament: Tournament) -> tuple[WaitingPhone, ...]:
    links = PersonalLink.objects.filter(
        entry__tournament=tournament, approved_at__isnull=True, revoked_at__isnull=True
    ).select_related("entry__player")
    return tuple(WaitingPhone(link.pk, link.entry.name, link.made_at) for link in links)


def _decided(tournament: Tournament, lines: Iterable[DeskLine]) -> tuple[DeskLine, ...]:
    """Returns the latest results, newest first."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    ).exclude(kind="retracted")
    latest = list(results.order_by("-posted_at").values_list("pairing_id", flat=True)[:LATEST_DECIDED])
    by_pairing = {line.pairing.id: line for line in lines}
    return tuple(by_pairing[pk] for pk in latest if pk in by_pairing)
