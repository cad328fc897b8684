"""Matches the lines of a list with the players of an event, and finds players who could be the same person. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from tournament.entries.lists.listing import Column, Line
from tournament.entries.lists.similar_names import SimilarNames
from tournament.fees.amounts import Amount
from tournament.runtime.text import comparison_key

Item = TypeVar("Item", Line, "ExistingPlayer")
Answers = Mapping[int, UUID | None]
"""The player chosen for a line, by its number. None: another person, who is new in the event."""


@dataclass(frozen=True, slots=True)
class ExistingPlayer:
    """A player of the event. `entry_id` is None for a player who is not in this tournament."""

    player_id: UUID
    entry_id: UUID | None
    name: str
    country: str = ""
    club: str = ""
    team: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    seed: int | None = None
    paid: bool = False
    checked_in: bool = False
    withdrawn: bool = False
    choices: frozenset[Column] = frozenset()  # conditions of the player, side pools of the entry
    elsewhere: tuple[str, ...] = ()  # names of other tournaments that this player is entered in
    imported: Amount | None = None  # payments in advance that earlier imports into this tournament recorded
    owed: Amount | None = None


class Matching:
    """Matches lines with players, each at most once, the most certain matches first.

    An answer comes first, then the federation number, then name and club, then a name that only one player has.
    """

    def __init__(self, lines: Sequence[Line], players: Sequence[ExistingPlayer], answers: Answers) -> None:
        self.lines = lines
        self.players = sorted(
            players, key=lambda player: (comparison_key(player.name), player.club, player.player_id)
        )
        self.answers = answers
        self.player_of: dict[int, ExistingPlayer] = {}
        self._match_answers()
        self._match_by(lambda item: comparison_key(item.federation_id))
        self._match_by(lambda item: f"{comparison_key(item.name)}\n{comparison_key(item.club)}")
        self._match_by(lambda item: comparison_key(item.name))

    def unclear_lines(self) -> dict[int, tuple[ExistingPlayer, ...]]:
        """Returns the candidates of each line that could be one of several unmatched players."""
        players = _group_by(self._free_players(), lambda item: comparison_key(item.name))
        candidates = {
            line.number: tuple(
                player for player in players.get(comparison_key(line.name), []) if self._can_be(line, player)
            )
            for line in self._open_lines()
        }
        return {number: found for number, found in candidates.items() if found}

    def candidates(self) -> dict[int, tuple[ExistingPlayer, ...]]:
        """Returns for each line the players with a similar name, if a person should decide who it is.

        That is not necessary for a player of this tournament whose data do not contradict the line.
        """
        free = {player.player_id for player in self._free_players()}
        similar = SimilarNames([(player.name, player) for player in self.players])
        return {
            line.number: tuple(
                player
                for player in similar.find(line.name)
                if player == self.player_of.get(line.number)
                or (player.player_id in free and not differ(line, player, ("federation_id",)))
            )
            for line in self.lines
            if not self._is_certain(line)
        }

    def _is_certain(self, line: Line) -> bool:
        player = self.player_of.get(line.number)
        if player is None or line.number in self.answers:
            return False
        agrees = not differ(line, player, ("country", "club"))
        return has_same_number(line, player) or (player.entry_id is not None and agrees)

    def _match_answers(self) -> None:
        players: dict[UUID | None, ExistingPlayer] = {player.player_id: player for player in self.players}
        for line in self.lines:
            player = players.pop(self.answers.get(line.number), None)
            if player is not None:
                self.player_of[line.number] = player

    def _match_by(self, mark: Callable[[Line | ExistingPlayer], str]) -> None:
        """Matches lines and players whose mark is unique on both sides and not empty."""
        players = _group_by(self._free_players(), mark)
        for marked, lines in _group_by(self._open_lines(), mark).items():
            line = lines[0]
            candidates = [player for player in players.get(marked, []) if self._can_be(line, player)]
            if marked and len(lines) == len(candidates) == 1:
                self.player_of[line.number] = candidates[0]

    def _can_be(self, line: Line, player: ExistingPlayer) -> bool:
        if has_same_number(line, player):
            return True
        is_another_person = line.number in self.answers and self.answers[line.number] is None
        fields = ("federation_id",) if player.entry_id else ("federation_id", "country", "club")
        return not is_another_person and not differ(line, player, fields)

    def _open_lines(self) -> list[Line]:
        return [line for line in self.lines if line.number not in self.player_of]

    def _free_players(self) -> list[ExistingPlayer]:
        taken = {player.player_id for player in self.player_of.values()}
        return [player for player in self.players if player.player_id not in taken]


def _group_by(items: Iterable[Item], mark: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(mark(item), []).append(item)
    return groups


def has_same_number(line: Line, player: ExistingPlayer) -> bool:
    return bool(line.federation_id) and comparison_key(line.federation_id) == comparison_key(
        player.federation_id
    )


def differ(line: Line, player: ExistingPlayer, fields: Iterable[str]) -> bool:
    """Returns True if line and player have different values in one of these fields. A blank value differs from none."""
    pairs = [
        (comparison_key(getattr(line, field)), comparison_key(getattr(player, field))) for field in fields
    ]
    return any(listed and existing and listed != existing for listed, existing in pairs)
