"""One match of a rehearsal as a script: two people with phones, their entries, and actions of the desk."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules.ruleset import Ruleset
from rules.score import Ending, Game, Score, Side, Win, play
from tournament.rehearsal.clock import Script
from tournament.rehearsal.people import Answer, Report, Scene, scene
from tournament.rehearsal.phone import Person, Phone
from tournament.rehearsal.play import MINUTES, Played, chance_of_left, play_on

GRACE_OF_A_NO_SHOW = 15.0
UNTIL_THE_DESK_ASKS, UNTIL_THE_DESK_RULES = 10.0, 6.0
MOST_VISITS = 4
IMPOSSIBLE = Game(Side.LEFT, Win.GAMMON, Ending.DROPPED, 2)


@dataclass(frozen=True, slots=True)
class Match:
    """A match before it is played. `number`: its number on the bracket sheet."""

    id: str
    pairing: int
    place: str
    number: str
    length: int | None
    games: int | None
    minutes: int | None
    ruleset: Ruleset
    games_wanted: bool
    two_cards: bool = False

    @property
    def agreed(self) -> int | None:
        """The number of games of a session. For a timed session, as many as fit into its minutes."""
        if self.length is not None:
            return None
        return self.games or max(1, round((self.minutes or 0) / MINUTES))

    def start(self) -> Score:
        return Score.start(self.length, self.ruleset, agreed=self.agreed)


class Table:
    """Two people and the desk at one match."""

    def __init__(self, match: Match, left: Person, right: Person, desk: Phone, rng: Random) -> None:
        self.match, self.desk, self.rng = match, desk, rng
        self.people = {Side.LEFT: left, Side.RIGHT: right}
        self.tails = {Side.LEFT: match.id, Side.RIGHT: match.id}
        self.pace = (left.player.pace + right.player.pace) / 2
        self.chance = chance_of_left(left.player.rating, right.player.rating)
        self.ended = ""

    def script(self) -> Script:
        """Plays from the call to the posted result. A match in progress is continued."""
        data = self.desk.look(self.match.id)
        if data["state"] == "open" and not any(card["rows"] for card in data["cards"]):
            yield from self._from_the_start(scene(self.rng))
        elif data["state"] == "open":
            yield from self._continue(data)
        yield from self._until_posted()

    def _from_the_start(self, circumstances: Scene) -> Script:
        yield circumstances.minutes_late
        if not circumstances.comes:
            yield GRACE_OF_A_NO_SHOW
            self._award()
            return
        games = play_on(self.match.start(), self.match.ruleset, self.chance, self.rng)
        if self.match.two_cards:
            yield from self._keep_two_cards(games, circumstances)
            return
        reporter = self.rng.choice(list(Side))
        if circumstances.report is Report.FINAL_SCORE and not self.match.games_wanted:
            yield sum(played.minutes for played in games) * self.pace
            self._report_score(reporter, [played.game for played in games])
        elif circumstances.report is Report.BOTH_CARDS:
            yield from self._keep_both_cards(games, circumstances)
            return
        else:
            yield from self._keep_card(reporter, games, circumstances)
        yield from self._answer(reporter, circumstances)

    def _continue(self, data: dict[str, Any]) -> Script:
        """Continues from the card with the most games."""
        cards = [card for card in data["cards"] if card["keeper"] in tuple(Side)]
        if not cards:
            return
        card = max(cards, key=lambda candidate: len(candidate["rows"]))
        keeper = Side(card["keeper"])
        self.tails[keeper] = card["tail"]
        games = play_on(self._score_on(card), self.match.ruleset, self.chance, self.rng)
        for played in games:
            yield played.minutes * self.pace
            self._enter(keeper, played.game)
        self._stop(keeper)
        yield UNTIL_THE_DESK_ASKS / 4
        self._phone(keeper.other).confirm(self.match.id)

    def _score_on(self, card: dict[str, Any]) -> Score:
        left, right = card["left"], card["right"]
        if self.match.length is None:
            struck = {row["supersedes"] for row in card["rows"]}
            games = sum(row["kind"] == "game" and row["key"] not in struck for row in card["rows"])
            return replace(self.match.start(), left=left, right=right, games=games)
        at_match_point = self.match.length - 1 in (left, right)
        return Score.at(
            left,
            right,
            self.match.length,
            self.match.ruleset,
            crawford_played=at_match_point and not card["is_crawford"],
        )

    def _keep_card(self, keeper: Side, games: list[Played], circumstances: Scene) -> Script:
        for number, played in enumerate(games):
            yield played.minutes * self.pace
            if number == 0 and circumstances.enters_the_impossible:
                self._enter(keeper, IMPOSSIBLE)
            if number == 0 and circumstances.slips:
                self._enter(keeper, Game(played.game.winner.other))
                self.tails[keeper] = self._phone(keeper).take_back(self.match.id, self.tails[keeper])
            self._enter(keeper, played.game, taps=2 if circumstances.double_taps else 1)
        self._stop(keeper)

    def _keep_both_cards(self, games: list[Played], circumstances: Scene) -> Script:
        """Both players enter every game. If the cards differ, one of them enters the wrong winner of the last game."""
        for played in games[:-1]:
            yield played.minutes * self.pace
            for keeper in Side:
                self._enter(keeper, played.game)
        yield games[-1].minutes * self.pace
        self._enter(Side.LEFT, games[-1].game)
        self._stop(Side.LEFT)
        if not circumstances.cards_differ:
            self._enter(Side.RIGHT, games[-1].game)
            self._stop(Side.RIGHT)
            self.ended = "both cards agree"
            return
        score = self._score([played.game for played in games[:-1]])
        while not score.is_over:
            wrong = Game(games[-1].game.winner.other, checkers_left=self._checkers())
            self._enter(Side.RIGHT, wrong)
            score = play(score, wrong, self.match.ruleset).after
        self._stop(Side.RIGHT)

    def _keep_two_cards(self, games: list[Played], circumstances: Scene) -> Script:
        """Each player keeps a card. A player who forgot a game takes over the other card at the end."""
        forgotten = self.rng.randrange(len(games)) if circumstances.cards_differ else None
        for number, played in enumerate(games):
            yield played.minutes * self.pace
            for keeper in Side:
                if keeper is Side.LEFT or number != forgotten:
                    self._enter(keeper, played.game)
        for keeper in Side:
            if keeper is Side.LEFT or forgotten is None:
                self._stop(keeper)
        if forgotten is not None:
            yield circumstances.minutes_to_answer
            tails = {"mine": self.tails[Side.RIGHT], "theirs": self.tails[Side.LEFT]}
            self._phone(Side.RIGHT).post(f"matches/{self.match.id}/take-over/", tails)
            self.ended = "a card was taken over"
            return
        self.ended = "both cards agree"

    def _answer(self, reporter: Side, circumstances: Scene) -> Script:
        yield circumstances.minutes_to_answer
        if circumstances.answer is Answer.CONFIRMS:
            self._phone(reporter.other).confirm(self.match.id)
        elif circumstances.answer is Answer.DISAGREES:
            note = {"note": "The score was another one."}
            self._phone(reporter.other).post(f"matches/{self.match.id}/dispute/", note)

    def _until_posted(self) -> Script:
        """The desk handles the match until its result is posted."""
        for _ in range(MOST_VISITS):
            data = self.desk.look(self.match.id)
            if data["state"] == "reported":
                yield UNTIL_THE_DESK_ASKS
                self.desk.confirm(self.match.id)
                self.ended = self.ended or "confirmed by the desk"
            elif data["state"] == "disputed":
                yield UNTIL_THE_DESK_RULES
                self._rule(data)
            elif data["state"] == "open":
                yield UNTIL_THE_DESK_ASKS
                self.desk.report(self.match.id, self._desk_tail(data), *self._invented_score())
                self.ended = self.ended or "entered by the desk"
            else:
                return

    def _rule(self, data: dict[str, Any]) -> None:
        complete = next((card for card in data["cards"] if card["winner"]), None)
        if complete is None:
            self.desk.report(self.match.id, self._desk_tail(data), *self._invented_score())
        else:
            body = {"keeper": complete["keeper"], "ruling": "Both played the last position over."}
            self.desk.post(f"matches/{self.match.id}/ruling/", body)
        self.ended = "ruled by the desk"

    def _award(self) -> None:
        body = {
            "kind": "no_show",
            "winner": self.people[Side.LEFT].entry,
            "reason": "Not there after the call",
        }
        self.desk.post(f"pairings/{self.match.pairing}/award/", body)
        self.ended = "no-show"

    def _enter(self, keeper: Side, game: Game, taps: int = 1) -> None:
        phone = self._phone(keeper)
        row = phone.row(self.tails[keeper], game)
        answers = [phone.hand_in(self.match.id, row) for _ in range(taps)]
        if answers[0].is_ok:
            self.tails[keeper] = str(row["key"])

    def _stop(self, keeper: Side) -> None:
        """Ends a timed session."""
        if self.match.length is None and self.match.games is None:
            self.tails[keeper] = self._phone(keeper).stop(self.match.id, self.tails[keeper])

    def _report_score(self, reporter: Side, games: list[Game]) -> None:
        score = self._score(games)
        self._phone(reporter).report(self.match.id, self.tails[reporter], score.left, score.right)

    def _score(self, games: list[Game]) -> Score:
        score = self.match.start()
        for game in games:
            score = play(score, game, self.match.ruleset).after
        return score

    def _invented_score(self) -> tuple[int, int]:
        won = self.match.length or self.match.agreed or 1
        lost = self.rng.randrange(won)
        winner_is_left = self.rng.random() < self.chance
        return (won, lost) if winner_is_left else (lost, won)

    def _desk_tail(self, data: dict[str, Any]) -> str:
        return next((str(card["tail"]) for card in data["cards"] if card["keeper"] == "desk"), self.match.id)

    def _checkers(self) -> int | None:
        return 1 if self.match.ruleset.uncubed_single == "checkers_left" else None

    def _phone(self, side: Side) -> Phone:
        return self.people[side].phone
