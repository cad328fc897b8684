"""How far an event is and what comes next, for those who run it; and who they are. Reads only.

A constant number of statements, however many tournaments and entries there are.
"""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import Count, F, Q

from matches.models import MatchState
from tournament.accounts import second_factors
from tournament.models import (
    Draw,
    Entry,
    Event,
    Membership,
    Pairing,
    PersonalLink,
    Question,
    Role,
    Tournament,
)
from tournament.models.desk import QuestionKind
from tournament.queries.events.ends import ends_of

PLAYED_STATES = ("played", "walkover", "nobody")


class Step(StrEnum):
    """What a tournament wants next."""

    ENTER = "enter"
    DRAW = "draw"
    RELEASE = "release"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Entries:
    """How many are in; those withdrawn are counted apart."""

    entered: int = 0
    arrived: int = 0
    paid: int = 0
    seeded: int = 0
    withdrawn: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Pairings of two players: all there will be, those decided, those under way, those that wait for somebody."""

    matches: int = 0
    decided: int = 0
    playing: int = 0
    reported: int = 0
    disputed: int = 0

    @property
    def being_confirmed(self) -> int:
        return self.reported + self.disputed


@dataclass(frozen=True, slots=True)
class TournamentOverview:
    tournament: Tournament
    entries: Entries
    draw: Draw | None
    progress: Progress
    questions: int
    champion: str
    winners: tuple[tuple[str, str], ...]
    step: Step

    @property
    def shown_playing(self) -> int:
        """Matches that onlookers see being played: while scores are held back, a reported result has not happened."""
        return self.progress.playing + self.progress.being_confirmed - self.shown_reported

    @property
    def shown_reported(self) -> int:
        return self.progress.being_confirmed if self.tournament.score_delay == 0 else 0

    @property
    def steps(self) -> list[tuple[Step, bool]]:
        """The four steps on the way, each with whether it is done."""
        order = list(Step)
        return [(step, order.index(step) < order.index(self.step)) for step in order[:-1]]


@dataclass(frozen=True, slots=True)
class EventOverview:
    event: Event
    tournaments: tuple[TournamentOverview, ...]
    phones_waiting: int

    @property
    def wanted(self) -> int:
        """How many things wait for the desk."""
        open_things = sum(one.questions + one.progress.reported for one in self.tournaments)
        return open_things + self.phones_waiting


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with a role. `is_made_here`: the event made the account and may close it; `is_helper_here`: it may also
    issue another sign-in link."""

    user: User
    role: str
    is_helper_here: bool
    is_made_here: bool
    has_second_factor: bool = False


def event_overview(event: Event) -> EventOverview:
    tournaments = _overviews(list(Tournament.objects.filter(event=event)))
    waiting = PersonalLink.objects.filter(
        entry__tournament__event=event, approved_at__isnull=True, revoked_at__isnull=True
    )
    return EventOverview(event, tuple(tournaments), waiting.count())


def tournament_overview(tournament: Tournament) -> TournamentOverview:
    return _overviews([tournament])[0]


def entries_of(tournament: Tournament) -> Entries:
    return _entries([tournament]).get(tournament.pk, Entries())


def people_of(event: Event) -> list[Member]:
    """Everybody with a role, owners first."""
    members = (
        Membership.objects.filter(event=event)
        .select_related("user", "user__account")
        .order_by(F("user__username"))
    )
    order = [Role.OWNER.value, Role.DIRECTOR.value, Role.DESK.value, Role.MONITOR.value]
    secured = second_factors.users_with_second_factor(member.user_id for member in members)
    shown = [
        Member(member.user, member.role, *_hold_of(event, member.user), member.user_id in secured)
        for member in members
    ]
    return sorted(shown, key=lambda member: order.index(member.role))


def former_helpers_of(event: Event) -> list[User]:
    """Open accounts that the event made and that have no role any more."""
    made = User.objects.filter(account__made_by=event, is_active=True, memberships__isnull=True)
    return list(made.order_by("username"))


def _hold_of(event: Event, user: User) -> tuple[bool, bool]:
    """Whether the event may issue a sign-in link for this account, and whether it may close it."""
    account = getattr(user, "account", None)
    is_made_here = account is not None and account.made_by_id == event.pk and user.is_active
    return is_made_here and not user.has_usable_password(), is_made_here


def _overviews(tournaments: Sequence[Tournament]) -> list[TournamentOverview]:
    entries, progress = _entries(tournaments), _progress(tournaments)
    questions, draws = _questions(tournaments), _draws(tournaments)
    ends = ends_of(tournaments)
    return [
        TournamentOverview(
            tournament=one,
            entries=entries.get(one.pk, Entries()),
            draw=draws.get(one.pk),
            progress=progress.get(one.pk, Progress()),
            questions=questions.get(one.pk, 0),
            champion=ends[one.pk].champion if one.pk in draws else "",
            winners=ends[one.pk].winners if one.pk in draws else (),
            step=_step(entries.get(one.pk, Entries()), draws.get(one.pk), is_over=ends[one.pk].is_over),
        )
        for one in tournaments
    ]


def _entries(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, Entries]:
    is_in = Q(withdrawn_at__isnull=True)
    rows = (
        Entry.objects.filter(tournament__in=tournaments)
        .values_list("tournament")
        .annotate(
            entered=Count("pk", filter=is_in),
            arrived=Count("pk", filter=is_in & Q(checked_in_at__isnull=False)),
            paid=Count("pk", filter=is_in & Q(is_paid=True)),
            seeded=Count("pk", filter=is_in & Q(seed__isnull=False)),
            withdrawn=Count("pk", filter=~is_in),
        )
    )
    return {tournament: Entries(*counts) for tournament, *counts in rows}


def _progress(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, Progress]:
    is_bye = Q(left_is_bye=True) | Q(right_is_bye=True) | Q(settled="bye")
    playing = Q(match__state=MatchState.OPEN, match__began_at__isnull=False)
    rows = (
        Pairing.objects.filter(round__bracket__tournament__in=tournaments)
        .values_list("round__bracket__tournament")
        .annotate(
            matches=Count("pk", filter=~is_bye),
            decided=Count("pk", filter=~is_bye & Q(settled__in=PLAYED_STATES)),
            playing=Count("pk", filter=playing),
            reported=Count("pk", filter=Q(match__state=MatchState.REPORTED)),
            disputed=Count("pk", filter=Q(match__state=MatchState.DISPUTED)),
        )
    )
    return {tournament: Progress(*counts) for tournament, *counts in rows}


def _questions(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, int]:
    """The matters that wait for the desk; all disagreements of a match are one, as on the desk's page."""
    asked = Question.objects.filter(
        tournament__in=tournaments, closed_at__isnull=True, match__pairing__isnull=False
    )
    matters = {
        (tournament, match if kind == QuestionKind.DISAGREEMENT else pk)
        for tournament, match, kind, pk in asked.values_list("tournament", "match", "kind", "pk")
    }
    return Counter(tournament for tournament, _ in matters)


def _draws(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, Draw]:
    current = Draw.objects.filter(tournament__in=tournaments, replaced_at__isnull=True)
    return {draw.tournament_id: draw for draw in current}


def _step(entries: Entries, draw: Draw | None, *, is_over: bool) -> Step:
    if draw is None:
        return Step.DRAW if entries.entered >= 2 else Step.ENTER
    if not draw.is_released:
        return Step.RELEASE
    return Step.OVER if is_over else Step.PLAY
