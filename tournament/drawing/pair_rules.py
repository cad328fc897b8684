"""Pairs two players of the next round by hand, or keeps them apart in all further rounds."""

import uuid

from django.db.models import Q
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.round_basis import EVERY_ROUND, last_round
from tournament.draw.formats import Format
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, PairRule
from tournament.refusals.rounds import (
    HAND_REASON_NEEDED,
    NO_ROUNDS_TO_PAIR,
    NO_SUCH_PAIR_RULE,
    PAIR_IS_SET,
    PAIR_KEPT_APART,
    PAIR_SET_ALREADY,
    PLAYER_NOT_IN,
    TWO_PLAYERS_NEEDED,
)
from tournament.runtime.errors import Refused


def pair_by_hand(
    tournament_id: uuid.UUID, first: uuid.UUID, second: uuid.UUID, reason: str, actor: Actor
) -> PairRule:
    """The next round pairs these two players. Raises Refused if one is paired by hand already, or if they are kept
    apart.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        number = _next_number(locked)
        rules = PairRule.objects.filter(tournament=locked.tournament)
        of_either = Q(first__in=(first, second)) | Q(second__in=(first, second))
        if rules.filter(of_either, number=number).exists():
            raise Refused(PAIR_SET_ALREADY, number=number)
        if rules.filter(_of_both(first, second), number=EVERY_ROUND).exists():
            raise Refused(PAIR_KEPT_APART)
        return _store(locked, (first, second), number, reason, actor)


def keep_apart(
    tournament_id: uuid.UUID, first: uuid.UUID, second: uuid.UUID, reason: str, actor: Actor
) -> PairRule:
    """No further round pairs these two players unless every pairing does. Idempotent.

    Raises Refused if they are paired by hand.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        rules = PairRule.objects.filter(_of_both(first, second), tournament=locked.tournament)
        if rules.filter(number=_next_number(locked)).exists():
            raise Refused(PAIR_IS_SET)
        rule = rules.filter(number=EVERY_ROUND).first()
        return rule or _store(locked, (first, second), EVERY_ROUND, reason, actor)


def remove_rule(tournament_id: uuid.UUID, rule_id: int, actor: Actor) -> None:
    """Raises Refused for a rule of a round that is released."""
    with advancing.lock_tournament(tournament_id) as locked:
        is_open = Q(number=EVERY_ROUND) | Q(number__gte=_next_number(locked))
        rule = PairRule.objects.filter(is_open, pk=rule_id, tournament=locked.tournament).first()
        if rule is None:
            raise Refused(NO_SUCH_PAIR_RULE)
        before = {"round": rule.number or None, "players": [str(rule.first_id), str(rule.second_id)]}
        verb = "allow pair again" if rule.number == EVERY_ROUND else "undo pair by hand"
        rule.delete()
        journal.write(locked.tournament, actor, JournalEntry(verb, "round", before=before))


def _next_number(locked: LockedTournament) -> int:
    if not Format.from_json(locked.tournament.format).is_growing:
        raise Refused(NO_ROUNDS_TO_PAIR)
    last = last_round(locked.tournament)
    return 2 if last is None else last.number + 1


def _of_both(first: uuid.UUID, second: uuid.UUID) -> Q:
    return Q(first__in=(first, second), second__in=(first, second))


def _store(
    locked: LockedTournament, pair: tuple[uuid.UUID, uuid.UUID], number: int, reason: str, actor: Actor
) -> PairRule:
    if pair[0] == pair[1]:
        raise Refused(TWO_PLAYERS_NEEDED)
    if not reason.strip():
        raise Refused(HAND_REASON_NEEDED)
    active = Entry.objects.filter(tournament=locked.tournament, withdrawn_at__isnull=True, pk__in=pair)
    if active.count() < len(pair):
        raise Refused(PLAYER_NOT_IN)
    first, second = sorted(pair)
    rule = PairRule.objects.create(
        tournament=locked.tournament,
        first_id=first,
        second_id=second,
        number=number,
        reason=reason.strip(),
        at=timezone.now(),
        by=actor.user,
    )
    verb = "keep apart" if number == EVERY_ROUND else "pair by hand"
    after = {"round": number or None, "players": [str(first), str(second)]}
    journal.write(locked.tournament, actor, JournalEntry(verb, "round", after=after, reason=reason))
    return rule
