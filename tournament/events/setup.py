"""Creates and changes events and their tournaments."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from matches import scorecard
from matches.models import Match
from rules.ruleset import Ruleset
from tournament.access.actors import Actor
from tournament.access.permissions import require_user
from tournament.accounts import activity, lifecycle
from tournament.brackets import advancing
from tournament.brackets.clocks import round_ruleset, tournament_ruleset
from tournament.brackets.lengths import StakePlay, validate_lengths, validate_stake_play
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import has_places, ranked_brackets
from tournament.draw.formats.presets import stake_standings
from tournament.draw.prizes import LONGEST_LABEL, Prizes
from tournament.draw.standings import StandingRules
from tournament.entries import player_names
from tournament.entries.closed_entries import refuse_while_closed
from tournament.events.organizers import default_organizer
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import AccountEventKind, Draw, Event, Membership, Role, Round, Tournament, Visibility
from tournament.refusals.events import DATE_FAR_AWAY, LAST_DAY_IMPOSSIBLE, NO_SUCH_PLACES, RULES_FIXED
from tournament.refusals.limits import TOO_MANY_EVENTS
from tournament.runtime.errors import Refused

FIELDS = (
    "name", "ruleset", "lengths", "confirm_after", "final_score_allowed", "two_cards", "doubles", "uses_clocks",
    "score_delay", "format", "side_lengths", "games", "minutes", "prizes",
)  # fmt: skip
MOST_YEARS_AGO, MOST_YEARS_AHEAD = 100, 5
MOST_DAYS = 366
"""From the first day of an event to its last."""
LONGEST_DELAY = 24 * 60
"""Minutes."""
PUBLIC_FIELDS = ("score_delay", "prizes", "doubles", "uses_clocks")
FIXED_BY_THE_DRAW = ("ruleset", "lengths", "format", "side_lengths", "games", "minutes")

# Path segments of other pages at the place of a tournament's slug.
RESERVED = {
    "new",
    "edit",
    "people",
    "journal",
    "join",
    "poster",
    "overview",
    "desk",
    "room",
    "cash",
    "fees",
    "payouts",
    "tables",
    "flow",
    "forecast",
    "kiosk",
    "screens",
    "find",
    "followed",
    "fragment",
    "overlay",
    "logo",
    "copy",
    "bin",
}


@dataclass(frozen=True, slots=True)
class EventPlan:
    name: str
    starts_on: date
    venue: str = ""
    time_zone: str = "UTC"
    is_indexed: bool = False
    shows_initials: bool = False
    ends_on: date | None = None
    description: str = ""
    contact: str = ""
    website: str = ""


EVENT_FIELDS = tuple(field.name for field in fields(EventPlan))


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """The set-up of a tournament. `lengths` run from the final backwards; `side_lengths` are the same for side brackets
    by key ("consolation", "group"). Spectators see running scores `score_delay` minutes late; None: not before the
    result. `doubles`: pairs play, and each pair is one entry.

    With `stake` every bracket without `side_lengths` is played in sessions, and a format without standings of its own
    ranks records by points (`draw.formats.presets.stake_standings`).
    """

    name: str
    ruleset: Ruleset
    lengths: tuple[int, ...] = (7,)
    confirm_after: int | None = None
    final_score_allowed: bool = True
    two_cards: bool = False
    doubles: bool = False
    uses_clocks: bool = False
    score_delay: int | None = 0
    format: Format = field(default_factory=Format)
    side_lengths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    prizes: Prizes = field(default_factory=Prizes)
    stake: StakePlay | None = None


@transaction.atomic
def create_event(plan: EventPlan, actor: Actor, visibility: Visibility = Visibility.PRIVATE) -> Event:
    """Creates an event owned by the acting user, private until it is published.

    Raises Refused beyond the daily limit and for implausible days.
    """
    return _create_event(plan, actor, visibility)


@transaction.atomic
def find_or_create_sample(plan: EventPlan, actor: Actor) -> tuple[Event, bool]:
    """Returns the sample event that the acting user owns, and True if it is new. Raises Refused like `create_event`.

    Locks the account, so that two requests at once create one event.
    """
    owner = User.objects.select_for_update().get(pk=require_user(actor).pk)
    samples = Event.objects.filter(memberships__user=owner, memberships__role=Role.OWNER, is_sample=True)
    sample = samples.first()
    if sample is not None:
        return sample, False
    return _create_event(plan, actor, Visibility.PRIVATE, is_sample=True), True


def _create_event(plan: EventPlan, actor: Actor, visibility: Visibility, *, is_sample: bool = False) -> Event:
    owner = require_user(actor)
    _check_first_day(plan.starts_on)
    _check_last_day(plan)
    lifecycle.check_limit(owner, AccountEventKind.EVENT_CREATED, settings.EVENTS_A_DAY, TOO_MANY_EVENTS)
    event = Event.objects.create(
        **asdict(plan),
        organizer=default_organizer(owner),
        slug=free_slug(plan.name, Event.with_deleted.all()),
        created_at=timezone.now(),
        visibility=visibility,
        is_sample=is_sample,
    )
    Membership.objects.create(event=event, user=owner, role=Role.OWNER)
    lifecycle.detach(owner)
    activity.record(owner, AccountEventKind.EVENT_CREATED, event=event, detail=plan.name)
    journal.write(event, actor, JournalEntry("create event", "event", event.pk, after={"name": event.name}))
    return event


@transaction.atomic
def change_event(event: Event, plan: EventPlan, actor: Actor) -> None:
    """Raises Refused for implausible days."""
    if plan.starts_on != event.starts_on:
        _check_first_day(plan.starts_on)
    _check_last_day(plan)
    before = _event_values(event)
    changes_names = plan.shows_initials != event.shows_initials
    for name, value in asdict(plan).items():
        setattr(event, name, value)
    event.save(update_fields=list(asdict(plan)))
    if changes_names:
        player_names.rename_all(event)
        for tournament_id in event.tournaments.order_by("pk").values_list("pk", flat=True):
            with advancing.lock_tournament(tournament_id) as locked:
                locked.touch_all()
    after = _event_values(event)
    if before != after:
        journal.write(event, actor, JournalEntry("change event", "event", event.pk, before, after))


@transaction.atomic
def create_tournament(event: Event, plan: TournamentPlan, actor: Actor) -> Tournament:
    """Raises Refused for invalid lengths."""
    tournament = Tournament.objects.create(
        event=event,
        slug=free_slug(plan.name, Tournament.with_deleted.filter(event=event)),
        created_at=timezone.now(),
        **_plan_fields(plan),
    )
    journal_entry = JournalEntry("create tournament", "tournament", tournament.pk, after=_plan_fields(plan))
    journal.write(tournament, actor, journal_entry)
    return tournament


def change_tournament(tournament_id: uuid.UUID, plan: TournamentPlan, actor: Actor) -> None:
    """Changes a tournament. Rules, format and lengths are fixed after the draw; lengths may then change by round.

    `doubles` may change at any time. Matches that have begun keep their clocks.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        before, after = _stored_fields(tournament), _plan_fields(plan)
        if before == after:
            return
        fixed = any(before[name] != after[name] for name in FIXED_BY_THE_DRAW)
        if fixed and Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).exists():
            raise Refused(RULES_FIXED)
        if before["format"] != after["format"]:
            refuse_while_closed(tournament)
        for name, value in after.items():
            setattr(tournament, name, value)
        tournament.save()
        if before["doubles"] != after["doubles"]:
            _reset_clocks(tournament)
        if any(before[name] != after[name] for name in PUBLIC_FIELDS):
            locked.touch_all()
        journal_entry = JournalEntry("change tournament", "tournament", tournament.pk, before, after)
        journal.write(tournament, actor, journal_entry)


def _check_first_day(day: date) -> None:
    """Refuses typing errors, and dates that would stay on top of every list."""
    today = timezone.localdate()
    if not today.year - MOST_YEARS_AGO <= day.year <= today.year + MOST_YEARS_AHEAD:
        raise Refused(DATE_FAR_AWAY, first=today.year - MOST_YEARS_AGO, last=today.year + MOST_YEARS_AHEAD)


def _check_last_day(plan: EventPlan) -> None:
    if plan.ends_on is not None and not 0 <= (plan.ends_on - plan.starts_on).days <= MOST_DAYS:
        raise Refused(LAST_DAY_IMPOSSIBLE, most=MOST_DAYS)


def _event_values(event: Event) -> dict[str, Any]:
    values = {name: getattr(event, name) for name in EVENT_FIELDS}
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _reset_clocks(tournament: Tournament) -> None:
    usual = tournament_ruleset(tournament)
    for row in Round.objects.filter(bracket__tournament=tournament):
        scorecard.change_rules(Match.objects.filter(pairing__round=row), round_ruleset(row, usual))


def _plan_fields(plan: TournamentPlan) -> dict[str, Any]:
    stake = validate_stake_play(plan.stake) if plan.stake is not None else StakePlay()
    return {
        "name": plan.name,
        "ruleset": plan.ruleset.as_json(),
        "lengths": validate_lengths(plan.lengths),
        "confirm_after": plan.confirm_after,
        "final_score_allowed": plan.final_score_allowed,
        "two_cards": plan.two_cards,
        "doubles": plan.doubles,
        "uses_clocks": plan.uses_clocks,
        "score_delay": plan.score_delay,
        "format": _format(plan).as_json(),
        "side_lengths": {key: validate_lengths(lengths) for key, lengths in plan.side_lengths.items()},
        "games": stake.games,
        "minutes": stake.minutes,
        "prizes": _prizes(plan),
    }


def _format(plan: TournamentPlan) -> Format:
    if plan.stake is None or plan.format.has_sheet or plan.format.standings != StandingRules():
        return plan.format
    return replace(plan.format, standings=stake_standings(plan.format.kind))


def _prizes(plan: TournamentPlan) -> dict[str, Any]:
    """Returns the prizes as stored. Raises Refused for a bracket without a list of places."""
    prizes = plan.prizes.as_json()
    unranked_brackets = [key for key in prizes.get("tables", {}) if not has_places(plan.format, key)]
    if unranked_brackets:
        raise Refused(
            NO_SUCH_PLACES,
            bracket=unranked_brackets[0][:LONGEST_LABEL],
            brackets=", ".join(ranked_brackets(plan.format)),
        )
    return prizes


def _stored_fields(tournament: Tournament) -> dict[str, Any]:
    values = {name: getattr(tournament, name) for name in FIELDS}
    return {**values, "format": Format.from_json(tournament.format).as_json()}


def free_slug(name: str, taken: Any) -> str:
    stem = slugify(name)[:50] or "event"
    used = RESERVED | set(taken.filter(slug__startswith=stem).values_list("slug", flat=True))
    numbers = (f"{stem}-{number}" for number in range(2, len(used) + 3))
    return next(slug for slug in (stem, *numbers) if slug not in used)
