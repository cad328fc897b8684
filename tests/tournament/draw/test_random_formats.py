"""Random formats and random desk actions, with invariants checked after each action."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.tournament.draw.drawing import a_decision, open_matches, seated
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import BYE, FromBye, FromEntry, Graph, Pairing, Seat
from tournament.draw.recipes import apply_order
from tournament.draw.seating import Decision, Facts, MemorySheet, Seating, State, resolve
from tournament.draw.seating.corrections import CannotKeep, Correction, Treatment, consequences
from tournament.draw.seating.double_seating import find_double_seatings
from tournament.draw.standings import ExternalValues, GroupRank, RankingBasis, StandingRules, lot_numbers

AnySheet = MemorySheet[Any, str]
PROGRESSIVE = "progressive"
KNOCK_OUTS = (
    Format(),
    Format(third_place=True),
    Format(consolation="simple"),
    Format(consolation=PROGRESSIVE),
    Format(consolation=PROGRESSIVE, last_chance="simple"),
    Format(consolation=PROGRESSIVE, last_chance=PROGRESSIVE, last_chance_rounds=1),
    Format(Kind.DOUBLE),
    Format(Kind.DOUBLE, reset=True),
    Format(Kind.DOUBLE, reset=True, last_chance="simple"),
)
MOST_IN_A_TABLE = 12


@st.composite
def days(draw: st.DrawFn) -> tuple[Format, int]:
    """A format and how many play it."""
    if draw(st.integers(0, 3)):
        chosen = draw(st.sampled_from(KNOCK_OUTS))
        drops = chosen.third_place or chosen.consolation
        fewest = 8 if chosen.last_chance else 4 if drops else 2
        return chosen, draw(st.integers(fewest, 40))
    entries = draw(st.integers(4, MOST_IN_A_TABLE))
    if draw(st.booleans()):
        return Format(Kind.ROUND_ROBIN), entries
    return Format(Kind.GROUPS, groups=2, qualifiers=draw(st.integers(1, 2))), entries


def players(state: State[str]) -> list[str]:
    return [entry for entry in (state.left, state.right) if entry is not None and entry is not BYE]


class AnyDay(RuleBasedStateMachine):
    @initialize(day=days(), seed=st.integers(0, 2**32))
    def draw(self, day: tuple[Format, int], seed: int) -> None:
        chosen, entries = day
        self.chance = Random(seed)
        names = [f"entry {number}" for number in range(1, entries + 1)]
        graph = apply_order(layout(chosen, entries).graph, names)
        external = ExternalValues(lot=lot_numbers(seated(graph), "a lot"))
        self.rank = GroupRank(
            {pairing.key: pairing for pairing in graph}, RankingBasis(StandingRules(), external)
        )
        self.sheet: AnySheet = MemorySheet(graph, self.rank)
        self.under_way: set[Any] = set()
        self.clock = 0
        self.corrected: list[tuple[Facts[Any, str], set[Any], int]] = []
        self.steps = 0

    def played(self) -> list[Any]:
        """The pairings whose decision counts."""
        decisions, states = self.sheet.decisions, self.sheet.states
        return [key for key in decisions if decisions[key].fits(states[key].left, states[key].right)]

    def waiting(self) -> list[Any]:
        return open_matches(Seating(self.sheet.states, frozenset()))

    @rule(how_many=st.integers(1, 6))
    def results_come_in(self, how_many: int) -> None:
        for key in self.chance.sample(self.waiting(), min(how_many, len(self.waiting()))):
            if key in self.waiting():
                decisions = {**self.sheet.decisions, key: self.some_result(key)}
                if self.seats_somebody_twice(
                    self.sheet.graph, self.sheet.facts._replace(decisions=decisions)
                ):
                    continue
                self.sheet.decisions = decisions
                self.under_way.discard(key)
                self.sheet.advance(key)
        self.steps += 1

    def some_result(self, key: Any) -> Decision[str]:
        left, right = players(self.sheet.states[key])
        decision = a_decision(left, right, self.chance, nobody_came=0.1)
        if decision.winner is None:
            return decision
        return replace(decision, points=(7, self.chance.randrange(7)))

    @rule()
    def a_match_begins(self) -> None:
        if waiting := self.waiting():
            self.under_way.add(self.chance.choice(waiting))

    @precondition(lambda self: self.played())
    @rule(share=st.floats(0, 1), how=st.sampled_from(["other winner", "nobody won", "taken back", "points"]))
    def a_result_is_corrected(self, share: float, how: str) -> None:
        key = self.chance.choice(self.played())
        begun = [
            pairing_key
            for pairing_key in self.sheet.states
            if pairing_key in self.sheet.decisions or pairing_key in self.under_way
        ]
        keep = frozenset(pairing_key for pairing_key in begun if self.chance.random() < share)
        correction = Correction(key, self.changed(key, how), frozenset(self.under_way), keep)
        before = self.sheet.facts._replace(
            decisions=dict(self.sheet.decisions), kept_seats=dict(self.sheet.kept_seats), withdrawn={}
        )
        try:
            preview = consequences(self.sheet.graph, self.sheet.facts, correction)
        except CannotKeep:
            return
        self.steps += 1
        self.corrected.append((before, {key, *preview.cancelled}, self.steps))
        self.sheet.decisions, self.sheet.kept_seats = (
            dict(preview.facts.decisions),
            dict(preview.facts.kept_seats),
        )
        self.under_way -= set(preview.cancelled)
        if how == "taken back" and key not in preview.cancelled:
            self.under_way.add(key)
        self.sheet.advance(key, *preview.cancelled, *self.feeders(preview.released_seats))
        assert self.sheet.states == preview.after.states
        assert keep or Treatment.KEEP not in {change.treatment for change in preview.affected}

    def changed(self, key: Any, how: str) -> Decision[str] | None:
        old = self.sheet.decisions[key]
        rival = old.winner or old.also_lost
        assert rival is not None
        if how == "taken back":
            return None
        if how == "nobody won":
            return Decision.both_lost(old.loser, rival)
        return Decision(rival, old.loser, points=(7, 5)) if how == "points" else Decision(old.loser, rival)

    @precondition(lambda self: self.played())
    @rule()
    def a_result_is_corrected_and_corrected_back(self) -> None:
        key = self.chance.choice(self.played())
        before, old = dict(self.sheet.states), self.sheet.decisions[key]
        turned = Correction(key, self.changed(key, "other winner"), self.under_way)
        try:
            there = consequences(self.sheet.graph, self.sheet.facts, turned)
        except CannotKeep:
            return
        if not there.cancelled:
            back = consequences(self.sheet.graph, there.facts, Correction(key, old, self.under_way))
            assert back.after.states == before

    @precondition(lambda self: self.corrected)
    @rule()
    def a_correction_is_undone(self) -> None:
        """At once it leaves no trace; later it is refused where something rests on it, which is told elsewhere."""
        before, touched, when = self.corrected.pop()
        if when != self.steps:
            return
        facts = self.sheet.facts._replace(decisions=before.decisions, kept_seats=before.kept_seats)
        states = resolve(self.sheet.graph, *facts)
        lifted = self.feeders(set(self.sheet.kept_seats) ^ set(before.kept_seats))
        self.sheet.decisions, self.sheet.kept_seats = dict(before.decisions), dict(before.kept_seats)
        self.sheet.advance(*touched, *lifted)
        assert self.sheet.states == states.states
        self.steps += 1

    def feeders(self, places: Iterable[tuple[Any, Seat]]) -> list[Any]:
        """One that fills each of these seats."""
        return [self.sheet.graph.filled_by(*place)[0] for place in places]

    @rule(came_back=st.booleans())
    def somebody_leaves_or_comes_back(self, came_back: bool) -> None:
        """Coming back opens a match again, which is refused where somebody went on from it as kept."""
        gone, without_place = dict(self.sheet.withdrawn), set(self.sheet.without_place)
        entry = self.chance.choice(sorted(gone) if came_back and gone else seated(self.sheet.graph))
        if gone.pop(entry, None) is None:
            self.clock += 1
            gone[entry] = self.clock
            without_place |= {entry} if self.chance.random() < 0.5 else set()
        without_place &= gone.keys()
        facts = self.sheet.facts._replace(withdrawn=gone, without_place=without_place)
        if self.seats_somebody_twice(self.sheet.graph, facts) or self.moves_who_began(facts):
            return
        self.sheet.withdrawn, self.sheet.without_place = gone, without_place
        self.sheet.advance(*[key for key, state in self.sheet.states.items() if entry in players(state)])
        self.under_way &= set(self.waiting())
        self.steps += 1

    def moves_who_began(self, facts: Facts[Any, str]) -> bool:
        """Whether a withdrawal would hand places on in matches that have begun."""
        then = resolve(self.sheet.graph, *facts).states
        return any(
            set(players(then[key])) != set(players(self.sheet.states[key]))
            for key in {*self.sheet.decisions, *self.under_way}
        )

    @rule()
    def somebody_comes_late_into_a_bye(self) -> None:
        """Which opens matches again, and is refused where somebody went on from one as kept."""
        free = [
            (pairing, seat)
            for pairing in self.sheet.graph
            for seat, source in pairing.seats
            if isinstance(source, FromBye) and not self.has_led_on(pairing.key)
        ]
        if free:
            pairing, seat = self.chance.choice(free)
            self.steps += 1
            self.give(pairing, seat, f"late {self.steps}")

    def seats_somebody_twice(self, graph: Graph[Any, str], facts: Facts[Any, str]) -> bool:
        """Somebody who was not before; asked only where anything is kept, for only then it can be."""
        if not facts.kept_seats:
            return False
        before = set(find_double_seatings(self.sheet.graph, self.sheet.states, self.sheet.kept_seats))
        after = set(find_double_seatings(graph, resolve(graph, *facts).states, facts.kept_seats))
        return not after <= before

    def has_led_on(self, key: Any) -> bool:
        begun = {*self.sheet.decisions, *self.under_way}
        onward = [feed.target for feed in self.sheet.graph.feeds_from(key)]
        return key in begun or any(target in begun or self.has_led_on(target) for target in onward)

    def give(self, pairing: Pairing[Any, str], seat: Seat, entry: str) -> None:
        taken: dict[str, Any] = {seat.value: FromEntry(entry)}
        rest = [other_pairing for other_pairing in self.sheet.graph if other_pairing.key != pairing.key]
        graph = Graph([*rest, pairing._replace(**taken)])
        if self.seats_somebody_twice(graph, self.sheet.facts):
            return
        self.sheet.graph = graph
        self.sheet.states[pairing.key] = self.sheet.states[pairing.key].with_occupant(seat, entry)
        self.sheet.advance(pairing.key)

    @rule()
    def the_same_is_told_in_another_order(self) -> None:
        retold: AnySheet = MemorySheet(self.sheet.graph, self.rank)
        retold.kept_seats = dict(self.sheet.kept_seats)
        retold.states = dict(resolve(retold.graph, *retold.facts).states)
        happened: list[tuple[Any, Any]] = [*self.sheet.decisions.items(), *self.sheet.withdrawn.items()]
        for subject, fact in self.chance.sample(happened, len(happened)):
            if isinstance(fact, Decision):
                retold.decisions[subject] = fact
                retold.advance(subject)
            else:
                retold.withdrawn[str(subject)] = fact
                retold.without_place = {*retold.without_place, subject} & {*self.sheet.without_place}
                retold.advance(*[key for key, state in retold.states.items() if subject in players(state)])
        assert retold.states == self.sheet.states

    @invariant()
    def what_was_moved_on_is_what_the_facts_say(self) -> None:
        assert self.sheet.states == resolve(self.sheet.graph, *self.sheet.facts).states

    @invariant()
    def nobody_meets_themselves(self) -> None:
        met = [players(state) for state in self.sheet.states.values()]
        assert all(len(set(entries)) == len(entries) for entries in met)

    @invariant()
    def nobody_is_expected_at_two_tables(self) -> None:
        """Who has left is expected nowhere, nor anybody at a match to be entered again after which all stay as kept."""
        part = self.sheet.graph.part_numbers()
        expected = Counter(
            (entry, part[key])
            for key, state in self.sheet.states.items()
            if state.result.how is None and not self.moves_nobody(key)
            for entry in players(state)
            if entry not in self.sheet.withdrawn
        )
        assert all(number == 1 for number in expected.values())

    def moves_nobody(self, key: Any) -> bool:
        onward = [(feed.target, feed.seat) for feed in self.sheet.graph.feeds_from(key)]
        return bool(onward) and self.sheet.kept_seats.keys() >= set(onward)


TestAnyDay = AnyDay.TestCase
TestAnyDay.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
