"""How far an event is and what comes next, for those who run it; and who they are. Reads only."""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import Count, F, Q

from matches.models import MatchState
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
from tournament.progression import current_draw

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

    entered: int
    arrived: int
    paid: int
    seeded: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Pairings of two players: all there will be, those decided, those under way, those that wait for somebody."""

    matches: int
    decided: int
    playing: int
    reported: int
    disputed: int


@dataclass(frozen=True, slots=True)
class TournamentOverview:
    tournament: Tournament
    entries: Entries
    draw: Draw | None
    progress: Progress
    questions: int
    champion: str
    step: Step

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
    """Somebody with a role; `is_helper_here`: an account made for this event, which another link may let in."""

    user: User
    role: str
    is_helper_here: bool


def event_overview(event: Event) -> EventOverview:
    tournaments = tuple(tournament_overview(one) for one in Tournament.objects.filter(event=event))
    waiting = PersonalLink.objects.filter(
        entry__tournament__event=event, approved_at__isnull=True, revoked_at__isnull=True
    )
    return EventOverview(event, tournaments, waiting.count())


def tournament_overview(tournament: Tournament) -> TournamentOverview:
    entries, draw, progress = entries_of(tournament), current_draw(tournament), _progress(tournament)
    last = _last_pairing(tournament) if draw else None
    return TournamentOverview(
        tournament=tournament,
        entries=entries,
        draw=draw,
        progress=progress,
        questions=Question.objects.filter(tournament=tournament, closed_at__isnull=True).count(),
        champion=last.winner.player.name if last is not None and last.winner is not None else "",
        step=_step(entries, draw, is_over=last is not None and last.settled != ""),
    )


def entries_of(tournament: Tournament) -> Entries:
    is_in = Q(withdrawn_at__isnull=True)
    counts = Entry.objects.filter(tournament=tournament).aggregate(
        entered=Count("pk", filter=is_in),
        arrived=Count("pk", filter=is_in & Q(checked_in_at__isnull=False)),
        paid=Count("pk", filter=is_in & Q(is_paid=True)),
        seeded=Count("pk", filter=is_in & Q(seed__isnull=False)),
        withdrawn=Count("pk", filter=~is_in),
    )
    return Entries(**counts)


def people_of(event: Event) -> list[Member]:
    """Everybody with a role, owners first."""
    members = (
        Membership.objects.filter(event=event)
        .select_related("user")
        .annotate(events=Count("user__memberships"))
        .order_by(F("user__username"))
    )
    order = [Role.OWNER.value, Role.DIRECTOR.value, Role.DESK.value]
    shown = [
        Member(one.user, one.role, one.events == 1 and not one.user.has_usable_password()) for one in members
    ]
    return sorted(shown, key=lambda member: order.index(member.role))


def _progress(tournament: Tournament) -> Progress:
    is_bye = Q(left_is_bye=True) | Q(right_is_bye=True) | Q(settled="bye")
    playing = Q(match__state=MatchState.OPEN, match__began_at__isnull=False)
    counts = Pairing.objects.filter(round__bracket__tournament=tournament).aggregate(
        matches=Count("pk", filter=~is_bye),
        decided=Count("pk", filter=~is_bye & Q(settled__in=PLAYED_STATES)),
        playing=Count("pk", filter=playing),
        reported=Count("pk", filter=Q(match__state=MatchState.REPORTED)),
        disputed=Count("pk", filter=Q(match__state=MatchState.DISPUTED)),
    )
    return Progress(**counts)


def _last_pairing(tournament: Tournament) -> Pairing | None:
    """The pairing whose winner wins the tournament."""
    pairings = Pairing.objects.filter(round__bracket__tournament=tournament).select_related("winner__player")
    return pairings.order_by("round__bracket__position", "-round__number").first()


def _step(entries: Entries, draw: Draw | None, *, is_over: bool) -> Step:
    if draw is None:
        return Step.DRAW if entries.entered >= 2 else Step.ENTER
    if not draw.is_released:
        return Step.RELEASE
    return Step.OVER if is_over else Step.PLAY
