"""Loads the progress of an event, the next step of each tournament, and the event's members. Reads only.

The number of statements does not depend on the number of tournaments and entries.
"""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, QuerySet

from matches.models import MatchState
from tournament.access.score_visibility import are_scores_private
from tournament.accounts import second_factors
from tournament.draw.formats import Format
from tournament.models import (
    Draw,
    Entry,
    Event,
    Invitation,
    Membership,
    Pairing,
    PersonalLink,
    Question,
    Role,
    Tournament,
)
from tournament.models.desk import QuestionKind
from tournament.queries.events.ends import TournamentEnd, find_ends
from tournament.runtime.errors import NotFound

PLAYED_STATES = ("played", "walkover", "nobody")


class Step(StrEnum):
    ENTER = "enter"
    DRAW = "draw"
    RELEASE = "release"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """Withdrawn entries count only in `withdrawn`."""

    entered: int = 0
    arrived: int = 0
    paid: int = 0
    seeded: int = 0
    withdrawn: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Numbers of pairings, without byes. `matches` includes pairings whose players are not known yet.

    `matches` and `decided` leave out jackpots, which may begin at any time.
    """

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
    entries: EntryCounts
    draw: Draw | None
    progress: Progress
    questions: int
    champion: str
    winners: tuple[tuple[str, str], ...]
    step: Step

    @property
    def public_playing(self) -> int:
        """Running matches as spectators see them. While scores are delayed, a reported match counts as running."""
        return self.progress.playing + self.progress.being_confirmed - self.public_reported

    @property
    def public_reported(self) -> int:
        return 0 if are_scores_private(self.tournament) else self.progress.being_confirmed

    @property
    def is_growing(self) -> bool:
        """True if the format is paired round by round: `progress` counts only the rounds so far."""
        return Format.from_json(self.tournament.format).is_growing

    @property
    def steps(self) -> list[tuple[Step, bool]]:
        """All steps before OVER, each with True if it is done."""
        order = list(Step)
        return [(step, order.index(step) < order.index(self.step)) for step in order[:-1]]


@dataclass(frozen=True, slots=True)
class EventOverview:
    event: Event
    tournaments: tuple[TournamentOverview, ...]
    phones_waiting: int


@dataclass(frozen=True, slots=True)
class Member:
    """A user with a role. `is_made_here`: the event created the account and may close it. `is_helper_here`: the event
    may also issue another sign-in link."""

    user: User
    role: str
    is_helper_here: bool
    is_made_here: bool
    has_second_factor: bool = False

    @property
    def role_label(self) -> str:
        return str(Role(self.role).label)


def event_overview(event: Event, tournaments: Sequence[Tournament]) -> EventOverview:
    waiting = PersonalLink.objects.filter(
        entry__tournament__event=event, approved_at__isnull=True, revoked_at__isnull=True
    )
    return EventOverview(event, tuple(_overviews(tournaments)), waiting.count())


def tournament_overview(tournament: Tournament) -> TournamentOverview:
    return _overviews([tournament])[0]


def count_entries(tournament: Tournament) -> EntryCounts:
    return entry_counts([tournament]).get(tournament.pk, EntryCounts())


def memberships(event: Event) -> QuerySet[Membership]:
    return Membership.objects.filter(event=event).select_related("user")


def list_members(event: Event) -> list[Member]:
    """Returns the members by role, owners first, then by user name."""
    members = memberships(event).select_related("user__account").order_by(F("user__username"))
    order = [Role.OWNER.value, Role.DIRECTOR.value, Role.DESK.value, Role.CASH.value, Role.MONITOR.value]
    secured = second_factors.users_with_second_factor(member.user_id for member in members)
    listed_members = [
        Member(member.user, member.role, *_helper_rights(event, member.user), member.user_id in secured)
        for member in members
    ]
    return sorted(listed_members, key=lambda member: order.index(member.role))


def find_member(event: Event, user_id: int) -> User:
    """Returns a user with a role in the event, or an active account that the event created. Raises NotFound."""
    is_of_event = Q(memberships__event=event) | Q(account__made_by=event, is_active=True)
    member = User.objects.filter(is_of_event, pk=user_id).distinct().first()
    if member is None:
        raise NotFound
    return member


def list_invitations(event: Event) -> QuerySet[Invitation]:
    return Invitation.objects.filter(event=event)


def find_invitation(event: Event, invitation_id: int) -> Invitation:
    """Returns an invitation to the event. Raises NotFound."""
    invitation = Invitation.objects.select_related("event").filter(pk=invitation_id, event=event).first()
    if invitation is None:
        raise NotFound
    return invitation


def list_former_helpers(event: Event) -> list[User]:
    """Returns active accounts that the event created and that no longer have a role."""
    made = User.objects.filter(account__made_by=event, is_active=True, memberships__isnull=True)
    return list(made.order_by("username"))


def _helper_rights(event: Event, user: User) -> tuple[bool, bool]:
    """Returns two permissions of the event: to issue a sign-in link for this account, and to close the account."""
    account = getattr(user, "account", None)
    is_made_here = account is not None and account.made_by_id == event.pk and user.is_active
    return is_made_here and not user.has_usable_password(), is_made_here


def _overviews(tournaments: Sequence[Tournament]) -> list[TournamentOverview]:
    entries, progress = entry_counts(tournaments), match_progress(tournaments)
    questions, draws = _open_question_counts(tournaments), _current_draws(tournaments)
    ends = find_ends(tournaments)
    return [
        TournamentOverview(
            tournament=tournament,
            entries=entries.get(tournament.pk, EntryCounts()),
            draw=draws.get(tournament.pk),
            progress=progress.get(tournament.pk, Progress()),
            questions=questions.get(tournament.pk, 0),
            champion=ends[tournament.pk].champion if tournament.pk in draws else "",
            winners=ends[tournament.pk].winners if tournament.pk in draws else (),
            step=_step(
                entries.get(tournament.pk, EntryCounts()),
                draws.get(tournament.pk),
                ends[tournament.pk],
            ),
        )
        for tournament in tournaments
    ]


def entry_counts(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, EntryCounts]:
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
    return {tournament: EntryCounts(*counts) for tournament, *counts in rows}


def match_progress(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, Progress]:
    is_bye = Q(left_is_bye=True) | Q(right_is_bye=True) | Q(settled="bye")
    is_counted = ~is_bye & Q(round__bracket__jackpot__isnull=True)
    playing = Q(match__state=MatchState.OPEN, match__began_at__isnull=False)
    rows = (
        Pairing.objects.filter(round__bracket__tournament__in=tournaments)
        .values_list("round__bracket__tournament")
        .annotate(
            matches=Count("pk", filter=is_counted),
            decided=Count("pk", filter=is_counted & Q(settled__in=PLAYED_STATES)),
            playing=Count("pk", filter=playing),
            reported=Count("pk", filter=Q(match__state=MatchState.REPORTED)),
            disputed=Count("pk", filter=Q(match__state=MatchState.DISPUTED)),
        )
    )
    return {tournament: Progress(*counts) for tournament, *counts in rows}


def _open_question_counts(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, int]:
    """Counts open questions by tournament. All disagreements of a match count as one, as on the desk's page."""
    open_questions = Question.objects.filter(
        tournament__in=tournaments, closed_at__isnull=True, match__pairing__isnull=False
    )
    matters = {
        (tournament, match if kind == QuestionKind.DISAGREEMENT else pk)
        for tournament, match, kind, pk in open_questions.values_list("tournament", "match", "kind", "pk")
    }
    return Counter(tournament for tournament, _ in matters)


def _current_draws(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, Draw]:
    current = Draw.objects.filter(tournament__in=tournaments, replaced_at__isnull=True)
    return {draw.tournament_id: draw for draw in current}


def _step(entries: EntryCounts, draw: Draw | None, end: TournamentEnd) -> Step:
    if draw is None:
        return Step.DRAW if entries.entered >= 2 else Step.ENTER
    if not draw.is_released:
        return Step.RELEASE
    return Step.OVER if end.is_over else Step.PLAY
