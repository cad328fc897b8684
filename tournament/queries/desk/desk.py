"""Data of the desk: what needs it now, and all matches of an event or of one of its tournaments. Reads only.

The number of statements does not depend on the number and the size of the tournaments.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import Card, Match
from tournament.access.tournament_lists import is_current
from tournament.live.channels import desk_channels, private_channel
from tournament.models import Call, Event, Pairing, Question, Result, Room, Table, Tournament
from tournament.models.desk import QuestionKind
from tournament.queries.brackets.bracket import live_bracket_views
from tournament.queries.brackets.bracket_view import BracketView, PairingView
from tournament.queries.desk.late_rounds import LateRound, find_late_rounds
from tournament.queries.desk.urgent import TournamentName, UrgentItem, load_urgent
from tournament.queries.events.ends import TournamentEnd, find_ends
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
    """A pairing with the times and cards of its match. `report` is the unconfirmed reported card.

    `called_at`: the time of the call that the players have not followed yet.
    """

    tournament: TournamentName
    pairing: PairingView
    bracket: str
    round_name: str
    called_at: datetime | None = None
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
    def state(self) -> str:
        """The state of the pairing; `called` for a match that is called and not begun."""
        return "called" if self.pairing.state == "ready" and self.called_at else self.pairing.state

    @property
    def since(self) -> datetime | None:
        """Start of the current state; None before both players are known and after the result."""
        times = {
            "ready": self.opened_at,
            "called": self.called_at,
            "playing": self.began_at,
            "reported": self.reported_at,
            "disputed": self.reported_at or self.began_at,
        }
        return times.get(self.state)

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
    called_at: datetime | None


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
class UrgentLine:
    """An urgent item with its match and its question, if it has one."""

    item: UrgentItem
    line: DeskLine | None
    question: OpenQuestion | None


@dataclass(frozen=True, slots=True)
class DeskPage:
    """`lines` are all matches by tournament and number; `urgent_in_event` counts the items of all tournaments.

    `broker_is_away` and `is_late` mean that players advance later than usual; nothing is lost. `unmoved` counts the
    results of all tournaments that wait for that. `over` are the tournaments that are over, with their winners.
    """

    tournaments: tuple[TournamentName, ...]
    channels: tuple[str, ...]
    lines: tuple[DeskLine, ...]
    urgent: tuple[UrgentLine, ...]
    urgent_in_event: int
    decided: tuple[DeskLine, ...]
    over: tuple[tuple[TournamentName, TournamentEnd], ...]
    late_rounds: tuple[LateRound, ...]
    has_released_draw: bool
    has_tables: bool
    broker_is_away: bool
    is_late: bool
    unmoved: int

    @property
    def played_for_a_time(self) -> tuple[TournamentName, ...]:
        """The tournaments with a session with a time limit in play."""
        timed = (line.tournament for line in self.lines if line.state == "playing" and line.pairing.minutes)
        return tuple(dict.fromkeys(timed))

    @property
    def open_lines(self) -> tuple[DeskLine, ...]:
        """All matches that can get a result, by tournament and number."""
        return tuple(line for line in self.lines if line.pairing.state in UNDECIDED)


def load_desk(place: Event | Tournament, *, with_money: bool = False) -> DeskPage:
    """`with_money`: for people who may see what players are paid."""
    event = place.event if isinstance(place, Tournament) else place
    tournaments = [place] if isinstance(place, Tournament) else list(_tournaments_of(event))
    brackets = live_bracket_views(tournaments)
    lines = _lines(tournaments, brackets)
    urgent = load_urgent(event, with_money=with_money)
    system_state = readiness()
    over = _finished(tournaments, lines)
    is_late = (system_state.oldest_waiting or 0.0) > LATE_SECONDS
    return DeskPage(
        tournaments=tuple(_name(tournament) for tournament in tournaments),
        channels=_channels(event, tournaments, brackets),
        lines=tuple(lines),
        urgent=_urgent_lines(urgent, tournaments, lines),
        urgent_in_event=len(urgent),
        decided=_decided(tournaments, lines),
        over=over,
        late_rounds=find_late_rounds(tournaments, {row.id for row, _ in over}, timezone.now()),
        has_released_draw=any(view.is_released for views in brackets.values() for view in views),
        has_tables=Table.objects.filter(room__event=event, closed_at__isnull=True).exists(),
        broker_is_away=not system_state.broker,
        is_late=is_late,
        unmoved=0 if system_state.broker and not is_late else system_state.waiting,
    )


def _tournaments_of(event: Event) -> QuerySet[Tournament]:
    return Tournament.objects.filter(is_current(), event=event).select_related("event")


def _name(tournament: Tournament) -> TournamentName:
    return TournamentName(tournament.pk, tournament.name, tournament.slug)


def _channels(
    event: Event, tournaments: Iterable[Tournament], brackets: Mapping[uuid.UUID, Sequence[BracketView]]
) -> tuple[str, ...]:
    """The channels of the room, of the event's journal, and of all changes of the brackets."""
    room = Room.objects.filter(event=event).values_list("pk", flat=True).first()
    return (
        private_channel(event.pk),
        *([str(room)] if room else []),
        *(
            name
            for tournament in tournaments
            for bracket in brackets.get(tournament.pk, ())
            for name in desk_channels(bracket.id)
        ),
    )


def _urgent_lines(
    items: Iterable[UrgentItem], tournaments: Sequence[Tournament], lines: Sequence[DeskLine]
) -> tuple[UrgentLine, ...]:
    """Returns the items of these tournaments and of the room."""
    tournament_ids = {tournament.pk for tournament in tournaments}
    by_pairing = {line.pairing.id: line for line in lines}
    questions = {str(question.id): question for question in _questions(tournaments, lines)}
    return tuple(
        UrgentLine(item, by_pairing.get(item.pairing) if item.pairing else None, questions.get(item.target))
        for item in items
        if item.tournament is None or item.tournament.id in tournament_ids
    )


def _finished(
    tournaments: Sequence[Tournament], lines: Iterable[DeskLine]
) -> tuple[tuple[TournamentName, TournamentEnd], ...]:
    """Returns the tournaments that are over, in the given order."""
    open_ids = {line.tournament.id for line in lines if line.pairing.state in (*UNDECIDED, "waiting")}
    drawn_ids = {line.tournament.id for line in lines}
    decided = [row for row in tournaments if row.pk in drawn_ids and row.pk not in open_ids]
    ends = find_ends(decided) if decided else {}
    return tuple((_name(row), ends[row.pk]) for row in decided if ends[row.pk].is_over)


def find_question(tournament: Tournament, question_id: uuid.UUID) -> Question | None:
    """Returns the question with its tournament; None if it belongs to another tournament."""
    questions = Question.objects.select_related("tournament")
    return questions.filter(tournament=tournament, pk=question_id).first()


def list_questions(tournament: Tournament) -> QuerySet[Question]:
    return Question.objects.filter(tournament=tournament)


def question_by_id(question_id: uuid.UUID) -> Question | None:
    """Returns the question with its event. The caller checks the permission."""
    return Question.objects.select_related("tournament__event").filter(pk=question_id).first()


def _lines(
    tournaments: Sequence[Tournament], brackets: Mapping[uuid.UUID, Sequence[BracketView]]
) -> list[DeskLine]:
    """Returns all pairings except byes, in the order of the sheet."""
    rows = Pairing.objects.filter(round__bracket__tournament__in=tournaments, settled="", match__isnull=False)
    open_matches = _open_matches(rows.values("match"))
    return [
        _line(
            DeskLine(_name(tournament), pairing, bracket.key, round_view.name),
            open_matches.get(pairing.match_id) if pairing.match_id else None,
        )
        for tournament in tournaments
        for bracket in brackets.get(tournament.pk, ())
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
    call = Call.objects.filter(match=OuterRef("pk"), ended_at__isnull=True, playing_at__isnull=True)
    called = Match.objects.filter(pk__in=matches).annotate(called_at=Subquery(call.values("called_at")[:1]))
    rows = called.values_list("pk", *_OpenMatch._fields[1:])
    return {pk: _OpenMatch(cards.get(pk, ()), *match) for pk, *match in rows}


def _line(line: DeskLine, match: _OpenMatch | None) -> DeskLine:
    if match is None or line.pairing.state not in UNDECIDED:
        return line
    versions = tuple(_card_version(card, line.pairing) for card in match.cards)
    return replace(
        line,
        opened_at=match.opened_at,
        called_at=match.called_at,
        began_at=match.began_at,
        reported_at=match.reported_at,
        versions=versions,
        report=next((card for card in versions if card.keeper.value == match.reported_by), None),
    )


def _card_version(card: _CardSummary, pairing: PairingView) -> CardVersion:
    names = {Keeper.LEFT: pairing.left.name, Keeper.RIGHT: pairing.right.name}
    keeper = Keeper(card.keeper)
    is_complete = card.winner != ""
    return CardVersion(
        keeper, names.get(keeper, ""), card.left_points, card.right_points, is_complete, card.tail
    )


def _questions(tournaments: Sequence[Tournament], lines: Iterable[DeskLine]) -> tuple[OpenQuestion, ...]:
    by_match = {line.pairing.match_id: line for line in lines}
    rows = Question.objects.filter(tournament__in=tournaments, closed_at__isnull=True).order_by(
        "opened_at", "pk"
    )
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


def _decided(tournaments: Sequence[Tournament], lines: Iterable[DeskLine]) -> tuple[DeskLine, ...]:
    """Returns the latest results, newest first."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament__in=tournaments, superseded_by__isnull=True
    ).exclude(kind="retracted")
    latest = list(results.order_by("-posted_at").values_list("pairing_id", flat=True)[:LATEST_DECIDED])
    by_pairing = {line.pairing.id: line for line in lines}
    return tuple(by_pairing[pk] for pk in latest if pk in by_pairing)
