"""A second implementation of pairing costs, directly from the aims, and the best pairing by trying all of them."""

from collections.abc import Iterator
from itertools import groupby
from random import Random

from tournament.draw.pairing import Aims, Alike, Contender, Seeding, Tiers

Pairing = list[tuple[Contender, Contender | None]]


class Oracle:
    """Costs of every pair of these contenders, the bye being None; seedings by chance are not known here."""

    def __init__(self, contenders: list[Contender], aims: Aims) -> None:
        self.aims = aims
        self.all = list(contenders)
        ranked = sorted(self.all, key=lambda player: (-player.wins, player.losses, player.strength))
        self.value = {
            player.entry: {
                Alike.WINS: player.wins,
                Alike.LOSSES: -player.losses,
                Alike.BALANCE: player.wins - player.losses,
                Alike.PLACE: -place,
            }[aims.alike]
            for place, player in enumerate(ranked)
        }
        self.levels = {
            value: sorted(members, key=lambda player: player.strength)
            for value, members in groupby(sorted(self.all, key=self._highest_first), key=self._value)
        }
        self.due = self._due()
        self.leaving = {value: self._leaving(value) for value in self.levels}
        self.place = {
            player.entry: place for level in self.levels.values() for place, player in enumerate(level)
        }

    def _value(self, player: Contender) -> int:
        return self.value[player.entry]

    def _highest_first(self, player: Contender) -> int:
        return -self.value[player.entry]

    def _record(self, player: Contender) -> tuple[int, int, int]:
        return self._value(player), player.wins - player.losses, player.wins

    def _due(self) -> Contender | None:
        if len(self.all) % 2 == 0:
            return None
        return min(self.all, key=lambda player: (player.byes, self._record(player)))

    def _leaving(self, value: int) -> tuple[int, int]:
        """How many of a level must leave it upwards, and downwards or for the bye."""
        bye_at = None if self.due is None else self._value(self.due)
        above = sum(len(members) for opponent, members in self.levels.items() if opponent > value)
        above += bye_at is not None and bye_at > value
        through = above + len(self.levels[value]) + (bye_at == value)
        return above % 2, through % 2 + (bye_at == value)

    def bye(self, player: Contender) -> Tiers:
        fewest = min(opponent.byes for opponent in self.all)
        worse = {self._record(opponent) for opponent in self.all if opponent.byes == player.byes}
        level = self.levels[self._value(player)]
        return Tiers(
            second_byes=player.byes - fewest,
            bye_above=sum(record < self._record(player) for record in worse),
            seeding=(len(level) - 1 - level.index(player)) ** 2,
        )

    def pair(self, player: Contender, opponent: Contender) -> Tiers:
        upper, lower = sorted(
            (player, opponent), key=lambda contender: (-self._value(contender), contender.strength)
        )
        high, low = self.levels[self._value(upper)], self.levels[self._value(lower)]
        place, met_at = self.place[upper.entry], self.place[lower.entry]
        up, down = self.leaving[self._value(upper)]
        if high is not low:
            off = (len(high) - 1 - place) + met_at
        elif self.aims.seeding == Seeding.SLIDE:
            off = met_at - place - (len(high) - up - down) // 2
        else:
            off = (place - up) + met_at - (len(high) - 1 - down)
        return Tiers(
            kept_apart=int(lower.entry in upper.apart or upper.entry in lower.apart),
            rematches=max(upper.opponents.count(lower.entry), lower.opponents.count(upper.entry)),
            gap=(self._value(upper) - self._value(lower)) ** 2,
            same_team=int(self.aims.teams_apart and player.team != "" and player.team == opponent.team),
            same_club=int(self.aims.clubs_apart and player.club != "" and player.club == opponent.club),
            same_country=int(
                self.aims.countries_apart and player.country != "" and player.country == opponent.country
            ),
            seeding=off**2,
        )

    def cost(self, player: Contender, opponent: Contender | None) -> Tiers:
        return self.bye(player) if opponent is None else self.pair(player, opponent)

    def cheapest(self) -> Tiers:
        """The least cost of all pairings of everybody, tried one after the other."""
        costs: dict[tuple[int, int | None], Tiers] = {}
        number_of = {player.entry: number for number, player in enumerate(self.all)}
        best: Tiers | None = None
        for pairing in every_pairing(self.all):
            total = Tiers()
            for player, opponent in pairing:
                key = number_of[player.entry], None if opponent is None else number_of[opponent.entry]
                if key not in costs:
                    costs[key] = self.cost(player, opponent)
                total = total.plus(costs[key])
            if best is None or total < best:
                best = total
        return best or Tiers()


def every_pairing(contenders: list[Contender]) -> Iterator[Pairing]:
    if not contenders:
        yield []
        return
    first, *rest = contenders
    for number, opponent in enumerate(rest):
        for others in every_pairing(rest[:number] + rest[number + 1 :]):
            yield [(first, opponent), *others]
    if len(contenders) % 2:
        for others in every_pairing(rest):
            yield [(first, None), *others]


def some_history(number: int, rounds: int, seed: int, clubs: int = 3) -> list[Contender]:
    """Contenders after rounds paired at random: some met twice, some came late, byes went anywhere."""
    chance = Random(seed)
    players = {
        entry: Contender(
            entry,
            strength=entry,
            club=chance.choice("ABC"[:clubs]),
            country=chance.choice(["", "X", "Y"]),
            team=("", "red", "blue")[entry % 3],
        )
        for entry in range(1, number + 1)
    }
    for _ in range(rounds):
        here = [entry for entry in players if chance.random() < 0.9]
        chance.shuffle(here)
        if len(here) % 2:
            players[here[-1]] = with_bye(players[here[-1]])
        for player, opponent in zip(here[::2], here[1::2], strict=False):
            players[player], players[opponent] = played(players[player], players[opponent])
    return list(players.values())


def played(winner: Contender, loser: Contender) -> tuple[Contender, Contender]:
    return (
        winner._replace(wins=winner.wins + 1, opponents=(*winner.opponents, loser.entry)),
        loser._replace(losses=loser.losses + 1, opponents=(*loser.opponents, winner.entry)),
    )


def with_bye(contender: Contender) -> Contender:
    return contender._replace(wins=contender.wins + 1, byes=contender.byes + 1)
