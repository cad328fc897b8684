"""What the rules of the draw take by themselves: no database, one process."""

from collections.abc import Iterator
from random import Random
from typing import Any

from deploy.bench.figures import Figures
from deploy.bench.formats import swiss
from deploy.bench.formats.measures import Measure, Sizes, nothing, times
from tournament.draw.correcting import Correction, consequences
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import Graph
from tournament.draw.layouts import layout
from tournament.draw.recipes import drawn, single_elimination
from tournament.draw.recipes.drops import building
from tournament.draw.seating import Decision, Facts, MemorySheet, Seating, resolve
from tournament.draw.standings import Given, StandingRules, TieBreak, lot_numbers, rank, records_of

DOUBLE = Format(Kind.DOUBLE, reset=True)
SECOND_CHANCES = Format(consolation="progressive", last_chance="progressive")
FORMATS = {"double elimination": DOUBLE, "consolation and last chance": SECOND_CHANCES}
DRAW_MS, ADVANCE_MS, TABLE_MS = 15.0, 0.040, 11.0
FLAT = 1.5
TABLE_OF_THE_MARK = 256
SWISS_MS = {256: 40.0, 1024: 150.0, 4096: 1500.0}
ADVANCES = 400
NOT_IN_RECORDS = {
    TieBreak.PERFORMANCE_RATING,
    TieBreak.PLAY_OFF,
    TieBreak.LOT,
    TieBreak.LASTED,
    TieBreak.LIVES_LEFT,
}
EVERY_TIE_BREAK = StandingRules((*(one for one in TieBreak if one not in NOT_IN_RECORDS), TieBreak.LOT))
LINEAR, LEAST_SAMPLES = 1.25, 3
SEED = 2026

AnyGraph = Graph[Any, str]


def measured(sizes: Sizes) -> Iterator[Measure]:
    """Everything, one after the other."""
    for name, chosen in FORMATS.items():
        yield _draw(name, chosen, sizes)
        yield _resolve(name, chosen, sizes)
    yield from _advances(sizes)
    for name, chosen in FORMATS.items():
        yield _correction(name, chosen, sizes)
    for number in sizes.swiss:
        yield _swiss(number, sizes)
    yield from _standings(sizes)


def names(number: int) -> list[str]:
    return [f"entry {one}" for one in range(1, number + 1)]


def graph_of(chosen: Format, number: int) -> AnyGraph:
    return drawn(layout(chosen, number).graph, names(number))


def play_out(graph: AnyGraph) -> dict[Any, Decision[str]]:
    """Results of everything, won by whoever chance likes."""
    chance = Random(SEED)  # noqa: S311 (nothing is decided by it)
    sheet: MemorySheet[Any, str] = MemorySheet(graph)
    waiting = list(_open(Seating(sheet.states, frozenset())))
    while waiting:
        for key in waiting:
            state = sheet.states[key]
            winner, loser = chance.sample((str(state.left), str(state.right)), 2)
            sheet.decisions[key] = Decision(winner, loser)
            sheet.advance(key)
        waiting = list(_open(Seating(sheet.states, frozenset())))
    return sheet.decisions


def _open(seating: Seating[Any, str]) -> Iterator[Any]:
    for key, state in seating.states.items():
        if state.result.how is None and None not in (state.left, state.right):
            yield key


def _draw(name: str, chosen: Format, sizes: Sizes) -> Measure:
    """From nothing: the layout is remembered by the product, and forgotten here before each time."""
    found = times(lambda _: graph_of(chosen, sizes.bracket), building.knockout.cache_clear, sizes.samples)
    again = times(lambda _: graph_of(chosen, sizes.bracket), nothing, sizes.samples)
    note = f"with the layout remembered {Figures.of(again).p50:.1f} ms"
    return Measure(
        f"draw of {sizes.bracket:,}, {name}", Figures.of(found), DRAW_MS if sizes.marks else None, note=note
    )


def _resolve(name: str, chosen: Format, sizes: Sizes) -> Measure:
    graph = graph_of(chosen, sizes.bracket)
    decisions = play_out(graph)
    found = times(lambda _: resolve(graph, decisions), nothing, sizes.samples)
    return Measure(
        f"resolve of {sizes.bracket:,} from scratch, {name}",
        Figures.of(found),
        note=f"{len(graph):,} pairings, all played",
    )


def _advances(sizes: Sizes) -> Iterator[Measure]:
    figures = {}
    for number in (sizes.small_bracket, sizes.bracket):
        figures[number] = Figures.of(_advance_times(number, ADVANCES))
        mark = ADVANCE_MS if sizes.marks and number == sizes.bracket else None
        yield Measure(f"one advance in a bracket of {number:,}", figures[number], mark)
    small, large = (figures[number].p10 for number in (sizes.small_bracket, sizes.bracket))
    yield Measure(
        f"advance at {sizes.bracket:,} against {sizes.small_bracket}",
        ratio=round(large / small, 2),
        most=FLAT if sizes.marks else None,
    )


def _advance_times(number: int, samples: int) -> list[float]:
    """First-round results, one after the other, on one sheet after another."""
    graph = drawn(single_elimination(number), names(number))
    keys = [pairing.key for pairing in graph if pairing.round == 1]
    sheets: list[MemorySheet[Any, str]] = []
    lines: list[int] = []

    def next_result() -> tuple[MemorySheet[Any, str], Any]:
        if not lines:
            sheets.append(MemorySheet(graph))
            lines.extend(range(len(keys)))
        key, sheet = keys[lines.pop()], sheets[-1]
        sheet.decisions[key] = Decision(str(sheet.states[key].left), str(sheet.states[key].right))
        return sheet, key

    return times(lambda given: given[0].advance(given[1]), next_result, samples)


def _correction(name: str, chosen: Format, sizes: Sizes) -> Measure:
    """The first match of an event that is played to its end: everything that rests on it is told."""
    graph = graph_of(chosen, sizes.bracket)
    decisions = play_out(graph)
    key = next(pairing.key for pairing in graph if pairing.key in decisions)
    old = decisions[key]
    correction: Correction[Any, str] = Correction(key, Decision(old.loser, str(old.winner)))
    found = times(lambda _: consequences(graph, Facts(decisions), correction), nothing, sizes.samples)
    affected = len(consequences(graph, Facts(decisions), correction).affected)
    what = f"what follows from a correction in round 1 of {sizes.bracket:,}, {name}"
    return Measure(what, Figures.of(found), note=f"{affected} pairings affected")


def _swiss(number: int, sizes: Sizes) -> Measure:
    """The round after some that were paired and played."""
    before = swiss.after(number, swiss.ROUNDS_BEFORE)
    following = swiss.ROUNDS_BEFORE + 1
    samples = max(LEAST_SAMPLES, sizes.samples * 64 // number)
    found = times(lambda _: before.pair(following), nothing, min(samples, sizes.samples))
    paired = before.pair(following)
    bound = "optimal" if paired.is_optimal else f"not known to be the best; at most off by {paired.bound}"
    mark = SWISS_MS.get(number) if sizes.marks else None
    return Measure(f"round {following} of a Swiss of {number:,}", Figures.of(found), mark, note=bound)


def _standings(sizes: Sizes) -> Iterator[Measure]:
    """Records and ranking of a Swiss of nine rounds with every tie-break there is; sizes are compared by the tenth
    percentile, which a busy machine disturbs least."""
    quick = {}
    for number in sizes.tables:
        figures = _standings_figures(number, sizes.samples)
        quick[number] = figures.p10
        mark = TABLE_MS if sizes.marks and number == TABLE_OF_THE_MARK else None
        yield Measure(f"standings of {number:,} with every tie-break", figures, mark)
    least, most = min(quick), max(quick)
    growth = (quick[most] / quick[least]) / (most / least)
    yield Measure(
        f"standings, a player at {most:,} against one at {least}",
        ratio=round(growth, 2),
        most=LINEAR if sizes.marks else None,
        note="1 is linear growth",
    )


def _standings_figures(number: int, samples: int) -> Figures:
    table = swiss.after(number, swiss.ROUNDS_OF_A_TABLE).table
    given = Given(lot=lot_numbers(names(number), "bench"))
    return Figures.of(times(lambda _: rank(records_of(*table), EVERY_TIE_BREAK, given), nothing, samples))
