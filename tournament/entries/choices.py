"""Choices that decide the fees of entries: the conditions of their players, and their side pools."""

import uuid
from collections.abc import Mapping, Sequence
from functools import reduce

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.fees.choices import ChoiceError, check_choices
from tournament.fees.schedule import Condition, FeeChoices, FeeSchedule
from tournament.ledger import charging
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Player, Tournament
from tournament.refusals.money import CHOICE_NOT_POSSIBLE, CHOICES_CHANGED, SEVERAL_CHOICES_NOT_POSSIBLE
from tournament.runtime.errors import Refused

MOST_NAMED = 10
"""Players named in one refusal."""


def choices_of(entry: Entry) -> FeeChoices:
    conditions = frozenset(Condition(name) for name in entry.player.conditions)
    return FeeChoices(conditions, frozenset(entry.pools))


def set_choices(
    tournament_id: uuid.UUID,
    choices: Mapping[uuid.UUID, FeeChoices],
    actor: Actor,
    expected: Mapping[uuid.UUID, FeeChoices] | None = None,
) -> int:
    """Stores these choices by entry, and charges what they change. Returns the number of changed entries.

    `expected` is what the entries had when they were shown. Raises Refused if one of them has other choices now, and
    for a pool that the player may not join; then nothing is changed.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        charging.lock_fees(locked.tournament)
        entries = Entry.objects.filter(tournament=tournament_id, pk__in=choices).select_related("player")
        changed = [entry for entry in entries if choices_of(entry) != choices[entry.pk]]
        _refuse_changed_meanwhile(changed, expected or {})
        store_choices(locked.tournament, [(entry, choices[entry.pk]) for entry in changed])
        journal.write_many(
            locked.tournament, actor, [choice_entry(locked.tournament, entry) for entry in changed]
        )
        charging.charge_players(locked.tournament.event_id, {entry.player_id for entry in changed}, actor)
    return len(changed)


def _refuse_changed_meanwhile(entries: Sequence[Entry], expected: Mapping[uuid.UUID, FeeChoices]) -> None:
    for entry in entries:
        present = choices_of(entry)
        if expected.get(entry.pk, present) != present:
            raise Refused(CHOICES_CHANGED, name=entry.player.registered_name)


def store_choices(tournament: Tournament, choices: Sequence[tuple[Entry, FeeChoices]]) -> None:
    """Checks and stores choices. The player of each entry is loaded; the caller charges the players.

    Raises Refused with the names of the first players whose choices are impossible.
    """
    if not choices:
        return
    schedule = charging.schedule_of(tournament) or FeeSchedule("")
    _refuse_impossible(schedule, choices)
    for entry, chosen in choices:
        entry.pools = sorted(chosen.pools)
        entry.player.conditions = sorted(chosen.conditions)
    Entry.objects.bulk_update([entry for entry, _chosen in choices], ["pools"])
    Player.objects.bulk_update([entry.player for entry, _chosen in choices], ["conditions"])


def _refuse_impossible(schedule: FeeSchedule, choices: Sequence[tuple[Entry, FeeChoices]]) -> None:
    refusals = []
    for entry, chosen in choices:
        try:
            check_choices(schedule, chosen, entry.player.rating)
        except ChoiceError as error:
            name = entry.player.registered_name
            refusals.append(Refused(CHOICE_NOT_POSSIBLE, name=name, reason=error))
    if refusals:
        *others, last = refusals[:MOST_NAMED]
        raise reduce(_with_another, reversed(others), last)


def _with_another(others: Refused, first: Refused) -> Refused:
    return Refused(SEVERAL_CHOICES_NOT_POSSIBLE, first=first, reason=others)


def choice_entry(tournament: Tournament, entry: Entry) -> JournalEntry:
    """The journal entry of the choices that the entry has now."""
    schedule = charging.schedule_of(tournament)
    names = schedule.pool_names if schedule else {}
    after = {
        "conditions": list(entry.player.conditions),
        "pools": ", ".join(names.get(key, key) for key in entry.pools),
    }
    return JournalEntry("choose prices", "entry", entry.pk, after=after)
