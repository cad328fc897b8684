"""Times of the work functions that pages and the API call, on a database without other users."""

import logging
from collections.abc import Iterator
from random import Random

from django.utils import timezone

from deploy.bench.figures import Figures
from deploy.bench.formats.in_memory import FORMATS
from deploy.bench.formats.measures import Measure, Sizes, no_argument, time_calls
from deploy.bench.formats.money import PLAYERS_AT_THE_DESK, measure_cash_desk, measure_payout
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
from tournament.models import Pairing, Result, ResultKind, Tournament, Visibility
from tournament.money.worth import compute_worth
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PrizeStructure
from tournament.results import desk

DRAW_MS, PREVIEW_MS, WORTH_MS = 500.0, 100.0, 1000.0
PLAYERS_WORTH = 64
MAIN_PRIZES = (Part("main", 1, 1, 4), Part("main", 2, 2, 2), Part("main", 3, 4, 1))
FORMATS_WORTH = {
    "knock-out": (Format(consolation="progressive"), (*MAIN_PRIZES, Part("consolation", 1, 1, 2))),
    "Swiss": (Format(Kind.SWISS, rounds=6), MAIN_PRIZES),
    "lives": (Format(Kind.LIVES, lives=3), MAIN_PRIZES),
}
LENGTH = 5
PLAYED_IN_ROUND_1 = 8
PLAYERS_OF_A_SWISS = 256
SWISS = Format(Kind.SWISS, rounds=9)


def measure_all(sizes: Sizes) -> Iterator[Measure]:
    """Writes to the database that this process is connected to."""
    logging.disable(logging.WARNING)  # this process has no broker to publish to, and needs none
    try:
        yield from _measure_bracket(sizes)
        for name in FORMATS_WORTH:
            yield _measure_worth(name, min(sizes.bracket, PLAYERS_WORTH), sizes)
        yield from _measure_money(sizes)
        yield _measure_swiss(min(sizes.swiss[-1], PLAYERS_OF_A_SWISS), sizes)
    finally:
        logging.disable(logging.NOTSET)


def _measure_bracket(sizes: Sizes) -> Iterator[Measure]:
    director = Actor(user=directors.get_director())
    tournament = _enter_players("Bracket", sizes.bracket, Format(), director)
    for name, chosen in FORMATS.items():
        _change_format(tournament, chosen, director)
        yield _measure_draw(tournament, name, director, sizes)
    draws.release(tournament.pk, director)
    yield _measure_advance(tournament, director, sizes)
    yield _measure_read(tournament, sizes)
    yield _measure_preview(tournament, sizes)


def _enter_players(name: str, entries: int, chosen: Format, director: Actor) -> Tournament:
    event = setup.create_event(EventPlan(f"Bench {name}", timezone.localdate()), director, Visibility.PUBLIC)
    plan = TournamentPlan("Open", PRESETS[DEFAULT_PRESET], (LENGTH,), format=chosen)
    tournament = setup.create_tournament(event, plan, director)
    lines = "\n".join(["name", *(f"Player {number}" for number in range(1, entries + 1))])
    listing = lists.read_list(lines.encode())
    digest = importing.preview(tournament, listing).digest
    importing.apply(tournament.pk, listing, digest, director)
    return tournament


def _change_format(tournament: Tournament, chosen: Format, director: Actor) -> None:
    _undo_draw(tournament, director)
    plan = TournamentPlan(tournament.name, PRESETS[DEFAULT_PRESET], (LENGTH,), format=chosen)
    setup.change_tournament(tournament.pk, plan, director)


def _undo_draw(tournament: Tournament, director: Actor) -> None:
    if advancing.current_draw(tournament) is not None:
        draws.undo(tournament.pk, director)


def _measure_draw(tournament: Tournament, name: str, director: Actor, sizes: Sizes) -> Measure:
    """Times order, graph and rows in one transaction. The earlier draw is undone outside of the time."""

    def make_plan() -> DrawPlan:
        _undo_draw(tournament, director)
        return DrawPlan(seed_text="bench")

    seconds = time_calls(
        lambda plan: draws.make(tournament.pk, plan, director), make_plan, _few_samples(sizes)
    )
    pairings = Pairing.objects.filter(round__bracket__tournament=tournament).count()
    title, mark = f"draw of {sizes.bracket:,}, {name}", DRAW_MS if sizes.marks else None
    return Measure(title, Figures.of(seconds), mark, note=f"{pairings:,} pairings")


def _measure_advance(tournament: Tournament, director: Actor, sizes: Sizes) -> Measure:
    pairings = iter(_open_pairings(tournament))

    def post_next() -> Result:
        return _post(next(pairings), director)

    seconds = time_calls(lambda result: advancing.advance(result.pk), post_next, PLAYED_IN_ROUND_1)
    return Measure(f"one advance in a bracket of {sizes.bracket:,}", Figures.of(seconds))


def _measure_read(tournament: Tournament, sizes: Sizes) -> Measure:
    def read_and_resolve(_: None) -> None:
        sheet = storage.read(tournament)
        resolve(sheet.graph, *sheet.facts)

    seconds = time_calls(read_and_resolve, no_argument, sizes.samples)
    return Measure(f"read and resolve of {sizes.bracket:,} from scratch", Figures.of(seconds))


def _measure_preview(tournament: Tournament, sizes: Sizes) -> Measure:
    first = Pairing.objects.filter(round__bracket__tournament=tournament, settled="played").order_by("pk")[0]
    loser = first.left_id if first.winner_id == first.right_id else first.right_id
    change = Change(ResultKind.WALKOVER, loser)
    seconds = time_calls(lambda _: corrections.preview(first.pk, change), no_argument, sizes.samples)
    title, mark = (
        f"preview of a correction in round 1 of {sizes.bracket:,}",
        PREVIEW_MS if sizes.marks else None,
    )
    return Measure(title, Figures.of(seconds), mark)


def _measure_swiss(number: int, sizes: Sizes) -> Measure:
    """Times pairing and storing round 2. The earlier round 2 is undone outside of the time."""
    director = Actor(user=directors.get_director())
    tournament = _enter_players("Swiss", number, SWISS, director)
    draws.make(tournament.pk, DrawPlan(seed_text="bench"), director)
    draws.release(tournament.pk, director)
    for pairing in _open_pairings(tournament):
        advancing.advance(_post(pairing, director).pk)

    def undo_round() -> None:
        last = round_basis.last_round(tournament)
        if last is not None and last.number > 1:
            rounds.take_back_round(tournament.pk, "Bench", director)

    seconds = time_calls(
        lambda _: rounds.pair_next_round(tournament.pk, director), undo_round, _few_samples(sizes)
    )
    return Measure(f"a Swiss round of {number:,}, paired and stored", Figures.of(seconds))


def _measure_money(sizes: Sizes) -> Iterator[Measure]:
    director = Actor(user=directors.get_director())
    tournament = _enter_players("Payout", sizes.bracket, Format(), director)
    yield measure_payout(tournament, director, sizes)
    number = min(sizes.bracket, PLAYERS_AT_THE_DESK)
    yield measure_cash_desk(_enter_players("Cash desk", number, Format(), director), director, sizes)


def _measure_worth(name: str, number: int, sizes: Sizes) -> Measure:
    """Times the table in the first round, when nothing is decided."""
    director = Actor(user=directors.get_director())
    chosen, parts = FORMATS_WORTH[name]
    tournament = _enter_players(f"Worth {name}", number, chosen, director)
    draws.make(tournament.pk, DrawPlan(seed_text="bench"), director)
    tournament.prize_structure = structure_as_json(PrizeStructure("EUR", parts, 10_000))
    trials: list[int] = []
    seconds = time_calls(
        lambda _: trials.append(compute_worth(tournament).trials), no_argument, _few_samples(sizes)
    )
    title, mark = f"what {number} players are worth now, {name}", WORTH_MS if sizes.marks else None
    return Measure(title, Figures.of(seconds), mark, note=f"{trials[-1]:,} ends")


def _open_pairings(tournament: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False, settled="")
    return list(rows.order_by("pk"))


def _post(pairing: Pairing, director: Actor) -> Result:
    """Posts a walkover; the winner is random but the same each time."""
    chance = Random(pairing.pk)  # noqa: S311 (simulated results)
    winner = chance.choice((pairing.left_id, pairing.right_id))
    desk.award(pairing, winner, ResultKind.WALKOVER, "Bench", director)
    return Result.objects.get(pairing=pairing)


def _few_samples(sizes: Sizes) -> int:
    return max(2, sizes.samples // 3)
