"""The draw: makes it, keeps it hidden, releases it, takes it back. Writes draws, and takes them down again.

Which position meets which is written by `tournament.draw`, and kept by `drawsheet`; nothing here knows a format by
name.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from django.db.models import Q
from django.utils import timezone

from matches import scorecard
from matches.models import Match, MatchState
from tournament.access.actors import Actor
from tournament.brackets import advancing, clocks, former_draws, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.clocks import RoundClock
from tournament.brackets.lengths import PlayedTo, checked_round, played_to, round_fields
from tournament.brackets.storage import Writing
from tournament.draw.formats import Format, FormatError
from tournament.draw.formats.layouts import Layout, layout
from tournament.draw.graph import GraphError
from tournament.draw.public_draw.document import rules_from_json
from tournament.draw.recipes import OrderRules, apply_order
from tournament.drawing import lot, rounds
from tournament.drawing.lot import Asked, Lot
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Bracket, Commitment, Draw, Entry, Jackpot, Pairing, Result, Round, Tournament
from tournament.models.brackets import DrawMethod
from tournament.occupancy import releasing
from tournament.results import stale_decisions
from tournament.runtime.errors import Refused

FEWEST = 2
MAIN, GROUP = "main", "group "


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """How to draw. An empty `seed_text` is filled by chance and kept.

    Where a secret waits, the entries have been closed and `public` is what was thrown in the hall since; method,
    rules and seed text then follow from what was fixed.
    """

    method: str = DrawMethod.RANDOM
    seed_text: str = ""
    reason: str = ""
    public: str = ""
    rules: OrderRules[str] = field(default_factory=OrderRules)
    byes_reason: str = ""

    @property
    def asked(self) -> Asked:
        return Asked(self.method, self.rules, self.byes_reason)


@dataclass(frozen=True, slots=True)
class SeenDraw:
    """The number of the current draw as somebody saw it who asked for a new one; None where there was none."""

    number: int | None


def make(tournament_id: uuid.UUID, plan: DrawPlan, actor: Actor, seen: SeenDraw | None = None) -> Draw:
    """Draws, or draws again: hidden until released. Raises Refused once play has begun.

    Raises Refused also when the current draw is not the one that was `seen`.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        if seen is not None:
            stale_decisions.refuse_if_draw_changed(advancing.current_draw(locked.tournament), seen.number)
        before = _take_back(locked, plan.reason)
        entries = drawable(locked)
        draw = _new_draw(locked, plan, entries, actor)
        _store(locked, draw)
        deed = Deed(
            "redraw" if before else "draw",
            "draw",
            draw.pk,
            before={"draw": before.number} if before else {},
            after={"draw": draw.number, "method": draw.method, "seed": draw.seed_text, "order": draw.order},
            reason=plan.reason,
        )
        journal.write(locked.tournament, actor, deed)
        return draw


def undo(tournament_id: uuid.UUID, actor: Actor, reason: str = "") -> None:
    """Takes the draw back and opens the entry list again. Raises Refused once play has begun."""
    with advancing.lock_tournament(tournament_id) as locked:
        before = _take_back(locked, reason)
        if before is None:
            raise Refused("no-draw", "There is no draw to take back.")
        deed = Deed("undo draw", "draw", before.pk, before={"draw": before.number}, reason=reason)
        journal.write(locked.tournament, actor, deed)


def release(tournament_id: uuid.UUID, actor: Actor) -> None:
    """Shows the draw to everyone and opens the matches that can be played. Again: changes nothing."""
    with advancing.lock_tournament(tournament_id) as locked:
        draw = advancing.current_draw(locked.tournament)
        if draw is None:
            raise Refused("no-draw", "There is no draw yet. Draw first, then release.")
        if draw.is_released:
            return
        draw.released_at = timezone.now()
        draw.save(update_fields=["released_at"])
        advancing.open_ready_matches(locked)
        storage.count_again(Match.objects.filter(pairing__round__bracket__tournament=tournament_id).count())
        locked.touch_all()
        journal.write(locked.tournament, actor, Deed("release draw", "draw", draw.pk))


def change_round_length(
    round_id: int, tournament_id: uuid.UUID, to: PlayedTo, actor: Actor, *, in_all_groups: bool = False
) -> None:
    """Sets a round's match length or its sessions, on demand in all groups that play this round.

    Raises Refused once a match of one of these rounds has begun.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        after = round_fields(checked_round(to))
        for pk in _in_all_groups(locked.tournament, round_id) if in_all_groups else [round_id]:
            row, matches = _round_not_begun(locked, pk)
            before = round_fields(played_to(row))
            deed = Deed("change length", "round", row.pk, _said(before), _said(after))
            row.length, row.games, row.minutes = after["length"], after["games"], after["minutes"]
            row.save(update_fields=["length", "games", "minutes"])
            scorecard.change_length(matches, row.length, row.games)
            locked.touch(row.bracket_id)
            journal.write(locked.tournament, actor, deed)


def _in_all_groups(tournament: Tournament, round_id: int) -> list[int]:
    """The round of this number in every group; the round alone where it is no group's."""
    rounds = Round.objects.filter(bracket__tournament=tournament)
    groups = rounds.filter(bracket__key__startswith=GROUP)
    numbers = groups.filter(pk=round_id).values("number")
    same = groups.filter(number__in=numbers).order_by("bracket__position").values_list("pk", flat=True)
    return list(same) or [round_id]


def change_round_clock(
    round_id: int, tournament_id: uuid.UUID, clock: RoundClock | None, actor: Actor
) -> None:
    """Sets a round's clock, or (None) goes back to the ruleset's; raises Refused once a match of it has begun."""
    with advancing.lock_tournament(tournament_id) as locked:
        row, matches = _round_not_begun(locked, round_id)
        own = clocks.checked(clock)
        before = clocks.clock_of(row)
        row.point_seconds, row.move_seconds = (own.point_seconds, own.move_seconds) if own else (None, None)
        row.save(update_fields=["point_seconds", "move_seconds"])
        usual = clocks.usual_rules(locked.tournament)
        scorecard.change_rules(matches, clocks.rules_of(row, usual))
        locked.touch(row.bracket_id)
        deed = Deed("change clock", "round", row.pk, _seconds(before), _seconds(own))
        journal.write(locked.tournament, actor, deed)


def _round_not_begun(locked: LockedTournament, round_id: int) -> tuple[Round, list[Match]]:
    row = Round.objects.filter(pk=round_id, bracket__tournament=locked.tournament).first()
    if row is None:
        raise Refused("no-such-round", "This round is no longer drawn. Load the page again.")
    matches = list(Match.objects.filter(pairing__round=row))
    if any(match.has_begun for match in matches):
        raise Refused(
            "round-has-begun",
            "A match of this round has begun, so what it is played to and its clock stay.",
        )
    return row, matches


def _said(fields: Mapping[str, int | None]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _seconds(clock: RoundClock | None) -> dict[str, object]:
    return asdict(clock) if clock else {}


def _take_back(locked: LockedTournament, reason: str) -> Draw | None:
    """Removes the pairings of the current draw and keeps its row."""
    draw = advancing.current_draw(locked.tournament)
    if draw is None:
        return None
    drawn = Pairing.objects.filter(round__bracket__tournament=locked.tournament)
    matches = scorecard.lock_all(drawn.values_list("match_id", flat=True)).values()
    _refuse_after_play(locked)
    if (draw.is_released or draw.secret) and not reason.strip():
        raise Refused("reason-needed", "This draw is known already. Give a reason for taking it back.")
    releasing.free({match.pk for match in matches})
    former_draws.keep(locked.tournament)
    Bracket.objects.filter(tournament=locked.tournament).exclude(key=MAIN).delete()
    Round.objects.filter(bracket__tournament=locked.tournament).delete()
    scorecard.discard(matches)
    draw.replaced_at = timezone.now()
    draw.save(update_fields=["replaced_at"])
    locked.touch_all()
    return draw


def _refuse_after_play(locked: LockedTournament) -> None:
    inside = {"pairing__round__bracket__tournament": locked.tournament}
    begun = Q(began_at__isnull=False) | Q(state=MatchState.DISPUTED)
    if Match.objects.filter(begun, **inside).exists() or Result.objects.filter(**inside).exists():
        raise Refused("play-has-begun", "A match has begun, so the draw stays as it is.")
    if Jackpot.objects.filter(tournament=locked.tournament, bracket__isnull=False).exists():
        raise Refused("jackpot-is-drawn", "A jackpot is drawn, so the draw beside it stays as it is.")


def drawable(locked: LockedTournament) -> list[Entry]:
    """Who would be drawn now, in the order of registration. Raises Refused for too few and too many."""
    rows = locked.tournament.entries.filter(withdrawn_at__isnull=True)
    entries = list(rows.select_related("player").order_by("entered_at", "pk"))
    if not FEWEST <= len(entries) <= MOST_ENTRIES:
        raise Refused(
            "entries-out-of-range",
            "A draw needs {fewest} to {most} entries; there are {count}.",
            fewest=FEWEST,
            most=MOST_ENTRIES,
            count=len(entries),
        )
    return entries


def _new_draw(locked: LockedTournament, plan: DrawPlan, entries: list[Entry], actor: Actor) -> Draw:
    waiting = lot.open_commitment(locked.tournament)
    lot.refuse_without_a_sheet(locked.tournament, rules_from_json(waiting.rules) if waiting else plan.rules)
    number = lot.next_number(locked.tournament)
    draw = Draw(tournament=locked.tournament, number=number, reason=plan.reason, made_by=actor.user)
    drawn_lot = (
        _by_seed_text(draw, plan, entries) if waiting is None else _by_secret(draw, plan, entries, waiting)
    )
    draw.recipe = {
        "format": locked.tournament.format,
        "entries": len(entries),
        "seeds": drawn_lot.seeds,
    }
    draw.entries = [str(entry.pk) for entry in entries]
    draw.seed_text, draw.order, draw.rules = drawn_lot.seed_text, drawn_lot.order, drawn_lot.rules
    draw.made_at = timezone.now()
    draw.save(force_insert=True)
    if waiting is not None:
        waiting.draw = draw
        waiting.save(update_fields=["draw"])
    return draw


def _by_seed_text(draw: Draw, plan: DrawPlan, entries: list[Entry]) -> Lot:
    draw.method = plan.method
    return lot.draw(plan.asked, lot.entrants(entries, plan.method), plan.seed_text)


def _by_secret(draw: Draw, plan: DrawPlan, entries: list[Entry], waiting: Commitment) -> Lot:
    """The draw that follows from the secret, the closed entries and the dice thrown after."""
    lot.refuse_another_closing(waiting, entries)
    asked = lot.asked_when_closed(waiting)
    draw.method, draw.secret, draw.secret_hash = asked.method, waiting.secret, waiting.secret_hash
    draw.entries_hash = waiting.entries_hash
    draw.public_dice, seed_text = lot.mixed(waiting, plan.public)
    drawn_lot = lot.draw(asked, lot.entrants(entries, asked.method), seed_text)
    return replace(drawn_lot, rules=waiting.rules)


def _store(locked: LockedTournament, draw: Draw) -> None:
    """Writes the graph of the draw."""
    laid = layout_of(locked.tournament, draw.order)
    if laid is None:
        rounds.write_first(locked, draw)
        return
    storage.write(
        locked, Writing(apply_order(laid.graph, lot.position_ids(draw.order)), laid.record_brackets)
    )


def layout_of(tournament: Tournament, order: Sequence[str | None]) -> Layout | None:
    """The layout of the tournament's format; None where it grows round by round. Raises Refused where it cannot be."""
    plan = Format.from_json(tournament.format)
    if plan.is_growing:
        return None
    try:
        return layout(plan, *lot.sheet_of(order))
    except (FormatError, GraphError) as cannot:
        raise Refused(
            "format-cannot-be-drawn", "{why} Change the format, or the entries.", why=str(cannot)
        ) from cannot
