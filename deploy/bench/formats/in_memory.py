"""Times of the pure draw: no database, one process."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from deploy.bench.figures import Figures
from deploy.bench.formats.measures import Measure, Sizes, no_argument, time_calls
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import BYE, FromBye, FromEntry, Graph, Pairing
from tournament.draw.pairing import Aims, Contender, PairedRound, pair_round
from tournament.draw.recipes import apply_order, single_elimination
from tournament.draw.recipes.drops import building
from tournament.draw.seating import Decision, Facts, MemorySheet, Seating, State, resolve, settle
from tournament.draw.seating.corrections import Correction, consequences
from tournament.draw.standings import ExternalValues, StandingRules, TieBreak, lot_numbers, rank, records_of

DOUBLE = Format(Kind.DOUBLE, reset=True)
SECOND_CHANCES = Format(consolation="progressive", last_chance="progressive")
FORMATS = {"double elimination": DOUBLE, "consolation and last chance": SECOND_CHANCES}
DRAW_MS, ADVANCE_MS, STANDINGS_MS = 15.0, 0.040, 11.0
SWISS_MS = {256: 40.0, 1024: 150.0, 4096: 1500.0}
MOST_ADVANCE_GROWTH, MOST_STANDINGS_GROWTH = 1.5, 1.25
PLAYERS_OF_STANDINGS_MARK = 256
ADVANCES = 400
LEAST_SAMPLES = 3
NOT_IN_RECORDS = {
    TieBreak.PERFORMANCE_RATING,
    TieBreak.PLAY_OFF,
    TieBreak.LOT,
    TieBreak.LASTED,
    TieBreak.LIVES_LEFT,
}
EVERY_TIE_BREAK = StandingRules(
    (*(tie_break for tie_break in TieBreak if tie_break not in NOT_IN_RECORDS), TieBreak.LOT)
)
SEED = 2026
ROUNDS_BEFORE_PAIRING, ROUNDS_OF_STANDINGS = 4, 9
SWISS_LENGTH = 7

AnyGraph = Graph[Any, str]
Key = tuple[int, int]


def measure_all(sizes: Sizes) -> Iterator[Measure]:
    for name, chosen in FORMATS.items():
        yield _measure_draw(name, chosen, sizes)
        yield _measure_resolve(name, chosen, sizes)
    yield from _measure_advances(sizes)
    for name, chosen in FORMATS.items():
        yield _measure_correction(name, chosen, sizes)
    for number in sizes.swiss:
        yield _measure_swiss(number, sizes)
    yield from _measure_standings(sizes)


def entry_names(number: int) -> list[str]:
    return [f"entry {place}" for place in range(1, number + 1)]


def graph_of(chosen: Format, number: int) -> AnyGraph:
    return apply_order(layout(chosen, number).graph, entry_names(number))


def play_out(graph: AnyGraph) -> dict[Any, Decision[str]]:
    """Decides every pairing; the winners are random but the same each time."""
    chance = Random(SEED)  # noqa: S311 (simulated results)
    sheet: MemorySheet[Any, str] = MemorySheet(graph)
    while open_keys := _open_keys(sheet):
        for key in open_keys:
            state = sheet.states[key]
            winner, loser = chance.sample((str(state.left), str(state.right)), 2)
            sheet.decisions[key] = Decision(winner, loser)
            sheet.advance(key)
    return sheet.decisions


def _open_keys(sheet: MemorySheet[Any, str]) -> list[Any]:
    return [
        key
        for key, state in Seating(sheet.states, frozenset()).states.items()
        if state.result.how is None and None not in (state.left, state.right)
    ]


def _measure_draw(name: str, chosen: Format, sizes: Sizes) -> Measure:
    """Without the cached layout; the note gives the time with it."""
    uncached = time_calls(
        lambda _: graph_of(chosen, sizes.bracket), building.knockout.cache_clear, sizes.samples
    )
    cached = time_calls(lambda _: graph_of(chosen, sizes.bracket), no_argument, sizes.samples)
    note = f"with the layout cached {Figures.of(cached).p50:.1f} ms"
    mark = DRAW_MS if sizes.marks else None
    return Measure(f"draw of {sizes.bracket:,}, {name}", Figures.of(uncached), mark, note=note)


def _measure_resolve(name: str, chosen: Format, sizes: Sizes) -> Measure:
    graph = graph_of(chosen, sizes.bracket)
    decisions = play_out(graph)
    seconds = time_calls(lambda _: resolve(graph, decisions), no_argument, sizes.samples)
    title = f"resolve of {sizes.bracket:,} from scratch, {name}"
    return Measure(title, Figures.of(seconds), note=f"{len(graph):,} pairings, all played")


def _measure_advances(sizes: Sizes) -> Iterator[Measure]:
    figures = {}
    for number in (sizes.small_bracket, sizes.bracket):
        figures[number] = Figures.of(_time_advances(number, ADVANCES))
        mark = ADVANCE_MS if sizes.marks and number == sizes.bracket else None
        yield Measure(f"one advance in a bracket of {number:,}", figures[number], mark)
    small, large = (figures[number].p10 for number in (sizes.small_bracket, sizes.bracket))
    yield Measure(
        f"advance at {sizes.bracket:,} against {sizes.small_bracket}",
        ratio=round(large / small, 2),
        most=MOST_ADVANCE_GROWTH if sizes.marks else None,
    )


def _time_advances(number: int, samples: int) -> list[float]:
    """Times first-round results, one after the other, on as many sheets as needed."""
    graph = apply_order(single_elimination(number), entry_names(number))
    keys = [pairing.key for pairing in graph if pairing.round == 1]
    sheet: MemorySheet[Any, str] = MemorySheet(graph)
    waiting = list(keys)

    def next_result() -> tuple[MemorySheet[Any, str], Any]:
        nonlocal sheet
        if not waiting:
            sheet = MemorySheet(graph)
            waiting.extend(keys)
        key = waiting.pop()
        sheet.decisions[key] = Decision(str(sheet.states[key].left), str(sheet.states[key].right))
        return sheet, key

    return time_calls(lambda result: result[0].advance(result[1]), next_result, samples)


def _measure_correction(name: str, chosen: Format, sizes: Sizes) -> Measure:
    """Corrects the first match of an event that is played to its end."""
    graph = graph_of(chosen, sizes.bracket)
    decisions = play_out(graph)
    key = next(pairing.key for pairing in graph if pairing.key in decisions)
    old = decisions[key]
    correction: Correction[Any, str] = Correction(key, Decision(old.loser, str(old.winner)))
    facts = Facts(decisions)
    seconds = time_calls(lambda _: consequences(graph, facts, correction), no_argument, sizes.samples)
    affected = len(consequences(graph, facts, correction).affected)
    title = f"consequences of a correction in round 1 of {sizes.bracket:,}, {name}"
    return Measure(title, Figures.of(seconds), note=f"{affected} pairings affected")


def _measure_swiss(number: int, sizes: Sizes) -> Measure:
    swiss = play_swiss(number, ROUNDS_BEFORE_PAIRING)
    following = ROUNDS_BEFORE_PAIRING + 1
    samples = min(max(LEAST_SAMPLES, sizes.samples * 64 // number), sizes.samples)
    seconds = time_calls(lambda _: swiss.pair(following), no_argument, samples)
    paired = swiss.pair(following)
    note = "optimal" if paired.is_optimal else f"not proved optimal; at most {paired.bound} from the optimum"
    mark = SWISS_MS.get(number) if sizes.marks else None
    return Measure(f"round {following} of a Swiss of {number:,}", Figures.of(seconds), mark, note=note)


def _measure_standings(sizes: Sizes) -> Iterator[Measure]:
    """Records and ranking of a Swiss of nine rounds with every tie-break. Sizes are compared by the tenth percentile,
    which other processes disturb least."""
    quick = {}
    for number in sizes.tables:
        figures = _time_standings(number, sizes.samples)
        quick[number] = figures.p10
        mark = STANDINGS_MS if sizes.marks and number == PLAYERS_OF_STANDINGS_MARK else None
        yield Measure(f"standings of {number:,} with every tie-break", figures, mark)
    least, most = min(quick), max(quick)
    growth = (quick[most] / quick[least]) / (most / least)
    yield Measure(
        f"standings, a player at {most:,} against one at {least}",
        ratio=round(growth, 2),
        most=MOST_STANDINGS_GROWTH if sizes.marks else None,
        note="1 is linear growth",
    )


def _time_standings(number: int, samples: int) -> Figures:
    crosstable = play_swiss(number, ROUNDS_OF_STANDINGS).crosstable
    given = ExternalValues(lot=lot_numbers(entry_names(number), "bench"))
    return Figures.of(
        time_calls(lambda _: rank(records_of(*crosstable), EVERY_TIE_BREAK, given), no_argument, samples)
    )


class Crosstable(NamedTuple):
    """The arguments of `records_of`."""

    pairings: list[Pairing[Key, str]]
    states: dict[Key, State[str]]
    decisions: dict[Key, Decision[str]]


class Swiss:
    """A Swiss tournament with random results, the same each time; every round is paired as the product pairs it."""

    def __init__(self, number: int) -> None:
        self.aims = Aims()
        self.chance = Random(number)  # noqa: S311 (simulated results)
        self.players = {
            name: Contender(name, strength=place) for place, name in enumerate(entry_names(number), start=1)
        }
        self.crosstable = Crosstable([], {}, {})

    def pair(self, number: int) -> PairedRound[str]:
        return pair_round(self.players.values(), self.aims, f"round {number}")

    def play(self, number: int) -> None:
        """Pairs and plays one round."""
        paired = self.pair(number)
        for line, pair in enumerate(paired.pairs, start=1):
            winner, loser = self.chance.sample((pair.left, pair.right), 2)
            decision = Decision(winner, loser, points=(SWISS_LENGTH, self.chance.randrange(SWISS_LENGTH)))
            self._store((number, line), pair.left, pair.right, decision)
            self._update_players(winner, loser)
        if paired.bye is not None:
            self._store((number, len(paired.pairs) + 1), paired.bye.entry, None, None)
            player = self.players[paired.bye.entry]
            self.players[player.entry] = player._replace(wins=player.wins + 1, byes=player.byes + 1)

    def _update_players(self, winner: str, loser: str) -> None:
        won, lost = self.players[winner], self.players[loser]
        self.players[winner] = won._replace(wins=won.wins + 1, opponents=(*won.opponents, loser))
        self.players[loser] = lost._replace(losses=lost.losses + 1, opponents=(*lost.opponents, winner))

    def _store(self, key: Key, left: str, right: str | None, decision: Decision[str] | None) -> None:
        source = FromBye() if right is None else FromEntry(right)
        pairing: Pairing[Key, str] = Pairing(key, "main", *key, FromEntry(left), source)
        occupants = (left, BYE if right is None else right)
        self.crosstable.pairings.append(pairing)
        self.crosstable.states[key] = State(*occupants, settle(*occupants, decision, {}))
        if decision is not None:
            self.crosstable.decisions[key] = decision


def play_swiss(number: int, rounds: int) -> Swiss:
    swiss = Swiss(number)
    for number_of_round in range(1, rounds + 1):
        swiss.play(number_of_round)
    return swiss
