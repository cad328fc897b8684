"""The winner of a lives event is first, however unevenly players were paired."""

from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.draw.standings.tables import table
from tournament.draw.pairing import (
    Aims,
    Alike,
    Contender,
    LivesMoment,
    LivesRules,
    Stop,
    is_over,
    pair_free,
    pair_round,
)
from tournament.draw.standings import Record, TieBreak, rank_lives, with_starting_losses

AIMS = Aims(alike=Alike.LOSSES)


@dataclass
class Evening:
    """A lives event in which whole rounds and free players are paired, and late entrants come."""

    chance: Random
    rules: LivesRules
    names: list[str]
    starting_losses: dict[str, int] = field(default_factory=dict)
    rounds: list[list[str]] = field(default_factory=list)

    def records(self) -> dict[str, Record[str]]:
        return with_starting_losses(
            table(self.rounds).records, {name: self.starting_losses.get(name, 0) for name in self.names}
        )

    def contenders(self) -> list[Contender[str]]:
        return [
            Contender(record.entry, record.wins, record.all_losses, record.byes, record.opponents, number)
            for number, record in enumerate(self.records().values())
            if record.all_losses < self.rules.lives
        ]

    def open_matches(self) -> list[tuple[int, int]]:
        return [
            (number, line)
            for number, matches in enumerate(self.rounds)
            for line, match in enumerate(matches)
            if " ? " in match
        ]

    def is_over(self) -> bool:
        return is_over(self.contenders(), self.rules)

    def play_one(self) -> None:
        number, line = self.chance.choice(self.open_matches())
        winner, loser = self.chance.sample(self.rounds[number][line].split(" ? "), 2)
        self.rounds[number][line] = f"{winner} {self.chance.choice(['7-0', '7-6', 'wo'])} {loser}"

    def pair(self) -> None:
        playing = tuple(tuple(self.rounds[n][line].split(" ? ")) for n, line in self.open_matches())
        if playing or self.chance.random() < 0.5:
            hall = LivesMoment(tuple(self.contenders()), self.rules, playing)
            self.add(pair_free(hall, AIMS, "dice").pairs)
        else:
            paired = pair_round(self.contenders(), AIMS, "dice")
            self.add(paired.pairs, [f"{paired.bye.entry} bye"] if paired.bye else [])

    def add(self, pairs, byes=()) -> None:
        if pairs:
            self.rounds.append([*(f"{pair.left} ? {pair.right}" for pair in pairs), *byes])

    def somebody_comes_late(self) -> None:
        name = f"late-{len(self.names)}"
        self.names.append(name)
        self.starting_losses[name] = self.chance.randrange(self.rules.lives)

    def play_out(self) -> None:
        late = self.chance.randrange(3)
        self.pair()
        while not self.is_over():
            if late and self.chance.random() < 0.1:
                late -= 1
                self.somebody_comes_late()
            if self.open_matches() and self.chance.random() < 0.6:
                self.play_one()
            else:
                self.pair()


@given(
    number=st.integers(2, 8),
    lives=st.integers(1, 3),
    stop=st.sampled_from([Stop.ONE_LEFT, Stop.BELOW]),
    seed=st.integers(0, 2**32),
)
def test_the_last_player_with_most_lives_is_first_alone(
    number: int, lives: int, stop: Stop, seed: int
) -> None:
    evening = Evening(Random(seed), LivesRules(lives, stop), [f"player-{n}" for n in range(number)])
    evening.play_out()
    left = evening.contenders()
    best = min((contender.losses for contender in left), default=None)
    winners = [contender.entry for contender in left if contender.losses == best]
    ranked = rank_lives(evening.records(), lives)
    assert [ranked[0].entry] == winners
    assert (ranked[0].place_from, ranked[0].place_to) == (1, 1)
    lasted = [
        step.value for standing in ranked for step in standing.steps if step.tie_break is TieBreak.LASTED
    ]
    assert max(lasted) <= len(evening.rounds)
