"""What the same takes stored, by the work functions that pages and API call, with nobody else on the database."""

import logging
from collections.abc import Iterator
from random import Random

from django.utils import timezone

from deploy.bench.figures import Figures
from deploy.bench.formats.measures import Measure, Sizes, nothing, times
from deploy.bench.formats.pure import FORMATS
from rules.ruleset import DEFAULT_PRESET, PRESETS
from tournament import corrections
from tournament.access.actors import Actor
from tournament.accounts import directors
from tournament.brackets import advancing, round_basis, storage
from tournament.corrections import Change
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import resolve
from tournament.drawing import draws, rounds
from tournament.drawing.draws import DrawPlan
from tournament.entries import importing, lists
from tournament.events import setup
from tournament.events.setup import EventPlan, TournamentPlan
from tournament.models import Pairing, Result, ResultKind, Tournament
from tournament.results import desk

DRAW_MS, PREVIEW_MS = 500.0, 100.0
LENGTH = 5
PLAYED_IN_ROUND_1 = 8
PLAYERS_OF_A_SWISS = 256
SWISS = Format(Kind.SWISS, rounds=9)


def measured(sizes: Sizes) -> Iterator[Measure]:
    """Everything, one after the other; the caller has connected this process to a database that may be written to."""
    logging.disable(logging.WARNING)  # this process has no broker to tell of anything, and needs none
    try:
        yield from _bracket(sizes)
        yield _swiss(min(sizes.swiss[-1], PLAYERS_OF_A_SWISS), sizes)
    finally:
        logging.disable(logging.NOTSET)


def _bracket(sizes: Sizes) -> Iterator[Measure]:
    director = Actor(user=directors.director())
    tournament = _entered("Bracket", sizes.bracket, Format(), director)
    for name, chosen in FORMATS.items():
        _choose(tournament, chosen, director)
        yield _draw(tournament, name, director, sizes)
    draws.release(tournament.pk, director)
    yield _advance(tournament, director, sizes)
    yield _read(tournament, sizes)
    yield _preview(tournament, sizes)


def _entered(name: str, entries: int, chosen: Format, director: Actor) -> Tournament:
    event = setup.create_event(EventPlan(f"Bench {name}", timezone.localdate()), director)
    plan = TournamentPlan("Open", PRESETS[DEFAULT_PRESET], (LENGTH,), format=chosen)
    tournament = setup.create_tournament(event, plan, director)
    lines = "\n".join(["name", *(f"Player {number}" for number in range(1, entries + 1))])
    listing = lists.read(lines.encode())
    digest = importing.preview(tournament, listing).digest
    importing.apply(tournament.pk, listing, digest, director)
    return tournament


def _choose(tournament: Tournament, chosen: Format, director: Actor) -> None:
    if advancing.current_draw(tournament) is not None:
        draws.undo(tournament.pk, director)
    plan = TournamentPlan(tournament.name, PRESETS[DEFAULT_PRESET], (LENGTH,), format=chosen)
    setup.change_tournament(tournament.pk, plan, director)


def _draw(tournament: Tournament, name: str, director: Actor, sizes: Sizes) -> Measure:
    """The lot, the graph and its rows, in one transaction; the draw before is taken back outside the time."""

    def undrawn() -> DrawPlan:
        if advancing.current_draw(tournament) is not None:
            draws.undo(tournament.pk, director)
        return DrawPlan(seed_text="bench")

    found = times(lambda plan: draws.make(tournament.pk, plan, director), undrawn, _few(sizes))
    what = f"draw of {sizes.bracket:,}, {name}"
    return Measure(what, Figures.of(found), DRAW_MS if sizes.marks else None, note=_rows(tournament))


def _advance(tournament: Tournament, director: Actor, sizes: Sizes) -> Measure:
    waiting = iter(_open(tournament))

    def posted() -> Result:
        return _post(next(waiting), director)

    found = times(lambda result: advancing.advance(result.pk), posted, PLAYED_IN_ROUND_1)
    return Measure(f"one advance in a bracket of {sizes.bracket:,}", Figures.of(found))


def _read(tournament: Tournament, sizes: Sizes) -> Measure:
    def read_and_resolve(_: None) -> None:
        sheet = storage.read(tournament)
        resolve(sheet.graph, *sheet.facts)

    found = times(read_and_resolve, nothing, sizes.samples)
    return Measure(f"read and resolve of {sizes.bracket:,} from scratch", Figures.of(found))


def _preview(tournament: Tournament, sizes: Sizes) -> Measure:
    first = Pairing.objects.filter(round__bracket__tournament=tournament, settled="played").order_by("pk")[0]
    loser = first.left_id if first.winner_id == first.right_id else first.right_id
    change = Change(ResultKind.WALKOVER, loser)
    found = times(lambda _: corrections.preview(first.pk, change), nothing, sizes.samples)
    what = f"preview of a correction in round 1 of {sizes.bracket:,}"
    return Measure(what, Figures.of(found), PREVIEW_MS if sizes.marks else None)


def _swiss(number: int, sizes: Sizes) -> Measure:
    """Round 2 paired, from the stored results of round 1, and kept."""
    director = Actor(user=directors.director())
    tournament = _entered("Swiss", number, SWISS, director)
    draws.make(tournament.pk, DrawPlan(seed_text="bench"), director)
    draws.release(tournament.pk, director)
    for pairing in _open(tournament):
        advancing.advance(_post(pairing, director).pk)

    def unpaired() -> None:
        last = round_basis.last_round(tournament)
        if last is not None and last.number > 1:
            rounds.take_back_round(tournament.pk, "Bench", director)

    found = times(lambda _: rounds.pair_next(tournament.pk, director), unpaired, _few(sizes))
    return Measure(f"a Swiss round of {number:,}, paired and kept", Figures.of(found))


def _open(tournament: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False, settled="")
    return list(rows.order_by("pk"))


def _post(pairing: Pairing, director: Actor) -> Result:
    chance = Random(pairing.pk)  # noqa: S311 (nothing is decided by it)
    winner = chance.choice((pairing.left_id, pairing.right_id))
    desk.award(pairing.pk, winner, ResultKind.WALKOVER, "Bench", director)
    return Result.objects.get(pairing=pairing)


def _rows(tournament: Tournament) -> str:
    return f"{Pairing.objects.filter(round__bracket__tournament=tournament).count():,} pairings"


def _few(sizes: Sizes) -> int:
    return max(2, sizes.samples // 3)
