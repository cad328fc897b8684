"""Makes a draw, releases it, and takes it back.

A draw stays hidden until its release. `tournament.draw` computes who meets whom, `brackets.storage` writes it.
"""

import uuid
from dataclasses import dataclass, field

from django.db.models import F, Q
from django.utils import timezone

from matches import scorecard
from matches.locking import lock_matches
from matches.models import Match, MatchState
from tournament.access.actors import Actor
from tournament.brackets import advancing, former_draws, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.round_basis import EVERY_ROUND
from tournament.brackets.storage import GraphToStore
from tournament.draw.public_draw.document import rules_from_json
from tournament.draw.recipes import OrderRules, apply_order
from tournament.drawing import draw_secret, order, rounds
from tournament.drawing.order import DrawRules
from tournament.entries.reentry import format_to_draw
from tournament.ledger.charging import charge_players, lock_fees
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    Bracket,
    Draw,
    Entry,
    Jackpot,
    Pairing,
    PairRule,
    Result,
    Round,
    RoundPreview,
    Tournament,
)
from tournament.models.brackets import DrawMethod
from tournament.occupancy import releasing
from tournament.refusals.draws import (
    JACKPOT_IS_DRAWN,
    NO_DRAW_TO_RELEASE,
    NO_DRAW_TO_TAKE_BACK,
    OTHER_DRAW_TO_RELEASE,
    PLAY_HAS_BEGUN,
    REDRAW_REASON_NEEDED,
)
from tournament.results import stale_decisions
from tournament.runtime.errors import Refused

MAIN = "main"
VERSION_STEP = 1000
"""A release rounds versions up, so that they do not say how often the hidden draw was changed."""


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """The options of a draw. An empty `seed_text` is replaced by a random one, which is stored.

    With an open commitment the entries must be closed and `public` contains the dice thrown since; method, rules and
    seed text then follow from the commitment.
    """

    method: str = DrawMethod.RANDOM
    seed_text: str = ""
    reason: str = ""
    public: str = ""
    rules: OrderRules[str] = field(default_factory=OrderRules)
    byes_reason: str = ""

    @property
    def draw_rules(self) -> DrawRules:
        return DrawRules(self.method, self.rules, self.byes_reason)


@dataclass(frozen=True, slots=True)
class ExpectedDraw:
    """The number of the draw that the user saw as current; None for no draw."""

    number: int | None


def make(
    tournament_id: uuid.UUID, plan: DrawPlan, actor: Actor, expected: ExpectedDraw | None = None
) -> Draw:
    """Draws, or draws again. Raises Refused once play has begun, and if the current draw is not the `expected` one."""
    with advancing.lock_tournament(tournament_id) as locked:
        if expected is not None:
            stale_decisions.refuse_if_draw_changed(advancing.current_draw(locked.tournament), expected.number)
        before = _remove_current(locked, plan.reason)
        entries = order.entries_to_draw(locked.tournament)
        draw = _new_draw(locked.tournament, plan, entries, actor)
        _store_graph(locked, draw)
        journal_entry = JournalEntry(
            "redraw" if before else "draw",
            "draw",
            draw.pk,
            before={"draw": before.number} if before else {},
            after={"draw": draw.number, "method": draw.method, "seed": draw.seed_text, "order": draw.order},
            reason=plan.reason,
        )
        journal.write(locked.tournament, actor, journal_entry)
        _charge_entries(locked.tournament, actor)
        return draw


def undo(tournament_id: uuid.UUID, actor: Actor, reason: str = "") -> None:
    """Takes the draw back, which opens the entry list again. Raises Refused once play has begun."""
    with advancing.lock_tournament(tournament_id) as locked:
        before = _remove_current(locked, reason)
        if before is None:
            raise Refused(NO_DRAW_TO_TAKE_BACK)
        journal_entry = JournalEntry(
            "undo draw", "draw", before.pk, before={"draw": before.number}, reason=reason
        )
        journal.write(locked.tournament, actor, journal_entry)
        _charge_entries(locked.tournament, actor)


def _charge_entries(tournament: Tournament, actor: Actor) -> None:
    """Entries are late or in time by the current draw."""
    if tournament.charges_fees:
        players = tournament.entries.values_list("player", flat=True)
        charge_players(tournament.event_id, set(players), actor)


def release(tournament_id: uuid.UUID, actor: Actor, expected: ExpectedDraw | None = None) -> None:
    """Makes the draw public and opens the matches that can be played. Idempotent.

    Raises Refused if the current draw is not the `expected` one.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        draw = advancing.current_draw(locked.tournament)
        if draw is None:
            raise Refused(NO_DRAW_TO_RELEASE)
        if expected is not None:
            stale_decisions.refuse_if_draw_changed(draw, expected.number, OTHER_DRAW_TO_RELEASE)
        if draw.is_released:
            return
        draw.released_at = timezone.now()
        draw.save(update_fields=["released_at"])
        advancing.open_ready_matches(locked)
        matches = Match.objects.filter(pairing__round__bracket__tournament=tournament_id)
        storage.analyze_tables(matches.count())
        brackets = Bracket.objects.filter(tournament=tournament_id)
        brackets.update(version=(F("version") / VERSION_STEP + 1) * VERSION_STEP)
        locked.touch_all()
        journal.write(locked.tournament, actor, JournalEntry("release draw", "draw", draw.pk))


def _remove_current(locked: LockedTournament, reason: str) -> Draw | None:
    """Deletes the brackets of the current draw, keeps its row as replaced, and returns it.

    Pairs set by hand belong to rounds of this draw and go with it. Pairs kept apart stay: their reason is the people.
    The lock on the event is taken before that on the room, which frees the tables: entries are charged afterwards.
    """
    lock_fees(locked.tournament)
    draw = advancing.current_draw(locked.tournament)
    if draw is None:
        return None
    pairings = Pairing.objects.filter(round__bracket__tournament=locked.tournament)
    match_ids = pairings.values_list("match_id", flat=True)
    matches = [locked_match.match for locked_match in lock_matches(match_ids).values()]
    _refuse_after_play(locked.tournament)
    if draw.is_public and not reason.strip():
        raise Refused(REDRAW_REASON_NEEDED)
    releasing.release_tables({match.pk for match in matches})
    former_draws.store_former_sheet(locked.tournament)
    Bracket.objects.filter(tournament=locked.tournament).exclude(key=MAIN).delete()
    RoundPreview.objects.filter(tournament=locked.tournament).delete()
    PairRule.objects.filter(tournament=locked.tournament).exclude(number=EVERY_ROUND).delete()
    Round.objects.filter(bracket__tournament=locked.tournament).delete()
    scorecard.discard(matches)
    draw.replaced_at = timezone.now()
    draw.save(update_fields=["replaced_at"])
    locked.hides_draw = draw.is_released
    locked.touch_all()
    return draw


def _refuse_after_play(tournament: Tournament) -> None:
    in_tournament = {"pairing__round__bracket__tournament": tournament}
    begun = Q(began_at__isnull=False) | Q(state=MatchState.DISPUTED)
    if (
        Match.objects.filter(begun, **in_tournament).exists()
        or Result.objects.filter(**in_tournament).exists()
    ):
        raise Refused(PLAY_HAS_BEGUN)
    if Jackpot.objects.filter(tournament=tournament, bracket__isnull=False).exists():
        raise Refused(JACKPOT_IS_DRAWN)


def _new_draw(tournament: Tournament, plan: DrawPlan, entries: list[Entry], actor: Actor) -> Draw:
    """Draws the order and saves the draw, by secret and dice if there is an open commitment."""
    commitment = draw_secret.open_commitment(tournament)
    if commitment is None:
        rules, public, seed_text = plan.draw_rules, "", plan.seed_text
        order.refuse_rules_without_sheet(tournament, rules.rules)
    else:
        order.refuse_rules_without_sheet(tournament, rules_from_json(commitment.rules))
        draw_secret.refuse_changed_closing(commitment, entries)
        rules = draw_secret.closed_rules(commitment)
        public, seed_text = draw_secret.derive_seed(commitment, plan.public)
    drawn_order = order.draw_order(rules, order.list_entrants(entries, rules.method), seed_text)
    draw = Draw.objects.create(
        tournament=tournament,
        number=order.next_draw_number(tournament),
        recipe={
            "format": format_to_draw(tournament).as_json(),
            "entries": len(entries),
            "seeds": drawn_order.seeds,
        },
        method=rules.method,
        seed_text=drawn_order.seed_text,
        entries=[str(entry.pk) for entry in entries],
        order=drawn_order.order,
        rules=drawn_order.rules if commitment is None else commitment.rules,
        secret="" if commitment is None else commitment.secret,
        secret_hash="" if commitment is None else commitment.secret_hash,
        public_dice=public,
        entries_hash="" if commitment is None else commitment.entries_hash,
        reason=plan.reason,
        made_at=timezone.now(),
        made_by=actor.user,
    )
    if commitment is not None:
        commitment.draw = draw
        commitment.save(update_fields=["draw"])
    return draw


def _store_graph(locked: LockedTournament, draw: Draw) -> None:
    layout = order.tournament_layout(locked.tournament, draw.order)
    if layout is None:
        rounds.pair_first_round(locked, draw)
    else:
        graph = apply_order(layout.graph, order.position_ids(draw.order))
        storage.write(locked, GraphToStore(graph, layout.record_brackets))
