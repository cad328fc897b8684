"""Tasks of the desk of an event, most urgent first: the list at the top of the desk, and the number on its tab.

Reads only. The number of statements does not depend on the number of tournaments and matches.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from matches.models import Card, MatchState
from tournament.access.tournament_lists import is_current
from tournament.models import (
    Bracket,
    Call,
    Draw,
    Event,
    PersonalLink,
    Question,
    Room,
    Tournament,
)
from tournament.models.desk import QuestionKind
from tournament.models.entries import name_of_entry
from tournament.queries.money.prize_steps import PrizeAction, open_claims, prize_steps
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.room.assignment_input import matches_waiting_beside_free_tables

TOURNAMENT_OF_PAIRING = "round__bracket__tournament_id"


class UrgentKind(StrEnum):
    """The kinds in the order of their urgency: what stops a whole tournament comes first."""

    ROUND = "round"
    DRAW = "draw"
    DISPUTE = "dispute"
    QUESTION = "question"
    PHONE = "phone"
    REPORT = "report"
    LATE = "late"
    TABLE = "table"
    PRIZE = "prize"


class UrgentAction(StrEnum):
    """The one button of an item."""

    PAIR = "pair"
    RELEASE_ROUND = "release_round"
    RELEASE = "release"
    DECIDE = "decide"
    LET_IN = "let_in"
    CONFIRM = "confirm"
    CALL_AGAIN = "call_again"
    PENALIZE = "penalize"
    FILL_TABLES = "fill_tables"
    AWARD = "award"
    POST_PRIZES = "post_prizes"
    AWARD_OWNERS = "award_owners"
    POST_OWNERS = "post_owners"
    PAY_OUT = "pay_out"


PRIZE_ACTIONS = {
    PrizeAction.AWARD: UrgentAction.AWARD,
    PrizeAction.POST: UrgentAction.POST_PRIZES,
    PrizeAction.AWARD_OWNERS: UrgentAction.AWARD_OWNERS,
    PrizeAction.POST_OWNERS: UrgentAction.POST_OWNERS,
}


class TournamentName(NamedTuple):
    id: uuid.UUID
    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class UrgentItem:
    """Something that waits for the desk since `since`.

    `tournament` is None if it concerns the room or the money of the event. `target` is the id that the action needs: of
    a question, a link, a call, or the last row of a reported card; of an auction a text that no other item has. `name`
    is the player of a phone or the table of a call; `number` is the round to pair, the hidden draw, the number of
    waiting matches of the room, or the number of players who may claim a prize. `automatic_at` is the time when a
    worker pairs the round. `has_preview_first`: the round is not released at once.
    """

    kind: UrgentKind
    action: UrgentAction
    since: datetime
    tournament: TournamentName | None
    pairing: int | None = None
    target: str = ""
    name: str = ""
    number: int = 0
    automatic_at: datetime | None = None
    has_preview_first: bool = False

    @property
    def key(self) -> str:
        """Unique in the list, and the same as long as the item stays."""
        place = self.target or self.pairing or (self.tournament.slug if self.tournament else "")
        return f"{self.kind}-{place}-{self.number}"


def load_urgent(event: Event, now: datetime | None = None, *, with_money: bool = False) -> list[UrgentItem]:
    """Returns the items of all current tournaments of the event: by kind, then the longest wait first.

    `with_money`: also prizes that are to be awarded or paid.
    """
    has_brackets = Exists(Bracket.objects.filter(tournament=OuterRef("pk")))
    rows = Tournament.objects.filter(is_current(), event=event).annotate(has_brackets=has_brackets)
    tournaments = list(rows)
    names = {row.pk: TournamentName(row.pk, row.name, row.slug) for row in tournaments}
    drawn_rows = [row for row in tournaments if row.has_brackets]
    drawn = {row.pk: names[row.pk] for row in drawn_rows}
    questions = list(_questions(drawn))
    items = [
        *_rounds_to_pair(tournaments, names),
        *_hidden_draws(drawn),
        *questions,
        *_phones(names),
        *_reports(drawn, {item.pairing for item in questions}),
        *_late_calls(drawn, now or timezone.now()),
        *(_free_tables(event) if drawn else ()),
        *(_prizes(event, drawn_rows, names) if with_money else ()),
    ]
    order = list(UrgentKind)
    return sorted(items, key=lambda item: (order.index(item.kind), item.since, item.key))


def count_urgent(event: Event, *, with_money: bool) -> int:
    """Returns the number on the tab of the desk."""
    return len(load_urgent(event, with_money=with_money))


def _rounds_to_pair(
    tournaments: Sequence[Tournament], names: Mapping[uuid.UUID, TournamentName]
) -> Iterator[UrgentItem]:
    for tournament, row in next_rounds(tournaments).items():
        if row.state is not NextRoundState.NONE and row.since is not None:
            action = UrgentAction.PAIR if row.state is NextRoundState.COMPLETE else UrgentAction.RELEASE_ROUND
            yield UrgentItem(
                UrgentKind.ROUND,
                action,
                row.since,
                names[tournament],
                number=row.number,
                automatic_at=row.automatic_at,
                has_preview_first=row.has_preview_first,
            )


def _hidden_draws(names: Mapping[uuid.UUID, TournamentName]) -> Iterator[UrgentItem]:
    draws = Draw.objects.filter(tournament__in=names, replaced_at__isnull=True, released_at__isnull=True)
    for tournament, made_at, number in draws.values_list("tournament_id", "made_at", "number"):
        yield UrgentItem(UrgentKind.DRAW, UrgentAction.RELEASE, made_at, names[tournament], number=number)


def _questions(names: Mapping[uuid.UUID, TournamentName]) -> Iterator[UrgentItem]:
    """One ruling settles all disputes of a match, so they are one item."""
    rows = Question.objects.filter(
        tournament__in=names, closed_at__isnull=True, match__pairing__isnull=False
    ).order_by("opened_at", "pk")
    disputed: set[int] = set()
    for pk, kind, since, tournament, pairing in rows.values_list(
        "pk", "kind", "opened_at", "tournament_id", "match__pairing"
    ):
        is_dispute = kind == QuestionKind.DISAGREEMENT
        if is_dispute and pairing in disputed:
            continue
        if is_dispute:
            disputed.add(pairing)
        yield UrgentItem(
            UrgentKind.DISPUTE if is_dispute else UrgentKind.QUESTION,
            UrgentAction.DECIDE,
            since,
            names[tournament],
            pairing,
            str(pk),
        )


def _phones(names: Mapping[uuid.UUID, TournamentName]) -> Iterator[UrgentItem]:
    links = PersonalLink.objects.filter(
        entry__tournament__in=names, approved_at__isnull=True, revoked_at__isnull=True
    )
    for pk, made_at, tournament, name, number in links.values_list(
        "pk", "made_at", "entry__tournament_id", "entry__player__name", "entry__number"
    ):
        player = name_of_entry(name, number)
        yield UrgentItem(
            UrgentKind.PHONE, UrgentAction.LET_IN, made_at, names[tournament], target=str(pk), name=player
        )


def _reports(
    names: Mapping[uuid.UUID, TournamentName], in_question: Collection[int | None]
) -> Iterator[UrgentItem]:
    """Reported results without an open question. `target` is the last row of the reported card."""
    cards = Card.objects.filter(
        match__pairing__round__bracket__tournament__in=names,
        match__state=MatchState.REPORTED,
        keeper=F("match__reported_by"),
    )
    for pairing, tournament, reported_at, tail in cards.values_list(
        "match__pairing", f"match__pairing__{TOURNAMENT_OF_PAIRING}", "match__reported_at", "tail"
    ):
        if pairing not in in_question:
            yield UrgentItem(
                UrgentKind.REPORT, UrgentAction.CONFIRM, reported_at, names[tournament], pairing, str(tail)
            )


def _late_calls(names: Mapping[uuid.UUID, TournamentName], now: datetime) -> Iterator[UrgentItem]:
    """Called matches whose players did not come within the time of the room, since the call or the second call."""
    calls = Call.objects.filter(
        pairing__round__bracket__tournament__in=names,
        ended_at__isnull=True,
        playing_at__isnull=True,
        match__state=MatchState.OPEN,
        match__began_at__isnull=True,
    )
    for pk, pairing, tournament, called_at, second_call_at, minutes, table in calls.values_list(
        "pk",
        "pairing_id",
        f"pairing__{TOURNAMENT_OF_PAIRING}",
        "called_at",
        "second_call_at",
        "room__second_call_after",
        "table__name",
    ):
        due_at = (second_call_at or called_at) + timedelta(minutes=minutes)
        if now >= due_at:
            action = UrgentAction.PENALIZE if second_call_at else UrgentAction.CALL_AGAIN
            yield UrgentItem(
                UrgentKind.LATE, action, due_at, names[tournament], pairing, str(pk), table or ""
            )


def _free_tables(event: Event) -> Iterator[UrgentItem]:
    """Free tables that a waiting match could take, unless the room calls automatically."""
    room = Room.objects.filter(event=event, auto_call=False).first()
    matches = matches_waiting_beside_free_tables(room) if room is not None else []
    if matches:
        since = min(match.opened_at for match in matches)
        yield UrgentItem(UrgentKind.TABLE, UrgentAction.FILL_TABLES, since, None, number=len(matches))


def _prizes(
    event: Event, tournaments: Sequence[Tournament], names: Mapping[uuid.UUID, TournamentName]
) -> Iterator[UrgentItem]:
    for step in prize_steps(tournaments):
        name = names[step.tournament.pk]
        target = f"auction-{name.slug}" if step.is_auction else ""
        yield UrgentItem(UrgentKind.PRIZE, PRIZE_ACTIONS[step.action], step.since, name, target=target)
    claims = open_claims(event)
    if claims is not None:
        yield UrgentItem(UrgentKind.PRIZE, UrgentAction.PAY_OUT, claims.since, None, number=claims.players)
