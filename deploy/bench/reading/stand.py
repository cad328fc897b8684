"""A drawn tournament that is looked at: its page, and ways in which it changes."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import redis

from deploy.bench.answers import BadAnswer
from deploy.bench.drawn import drawn
from deploy.bench.grounds import Ground
from deploy.loose_parts import PREFIX
from tournament.models import Bracket, Pairing, Tournament
from tournament.rehearsal.wire import Answer, Wire

LENGTH = 25


@dataclass
class Stand:
    """A drawn tournament, its page, and a way to say that something changed."""

    ground: Ground
    tournament: Tournament
    bracket: Bracket
    tokens: dict[uuid.UUID, str]
    broker: redis.Redis

    @classmethod
    def of(cls, ground: Ground, entries: int) -> "Stand":
        tournament, tokens = drawn(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        return cls(ground, tournament, bracket, tokens, redis.Redis.from_url(ground.parts.broker_url))

    @property
    def page(self) -> str:
        return f"/e/{self.tournament.event.slug}/{self.tournament.slug}/"

    @property
    def entries(self) -> int:
        return len(self.tokens)

    def pages_of_the_match(self) -> dict[str, str]:
        """What shows the match that goes on, beside the page of its tournament."""
        player, match = self._playing()
        return {"player": f"{self.page}players/{player}/", "match": f"{self.page}match/{match}/"}

    def other_pages(self) -> dict[str, str]:
        """What else strangers look at, and programs of theirs ask for."""
        api = f"/api/v1/tournaments/{self.tournament.pk}/"
        return {
            **self.pages_of_the_match(),
            "home": "/",
            "draw proof": f"{self.page}draw-proof/",
            "bracket over the API": f"{api}brackets/main/",
        }

    def tell(self, version: int) -> float:
        """As the product tells of a new version; when it was told."""
        at = time.perf_counter()
        self.broker.publish(f"{PREFIX}live", f"{self.bracket.pk} {version}")
        return at

    def games(self) -> Iterator[None]:
        """One match goes on, game by game, won by turns: each changes the page."""
        player, match = self._playing()
        phone, tail = Wire(self.ground.parts.url, self.tokens[player]), str(match)
        for number in range(2 * LENGTH - 2):
            winner = "right" if number % 2 else "left"
            key = str(uuid.uuid4())
            row = {
                "key": key,
                "predecessor": tail,
                "winner": winner,
                "win": "single",
                "cube": 1,
            }
            seen(phone.post(f"/api/v1/matches/{match}/games/", row))
            tail = key
            yield
        phone.close()

    def _playing(self) -> tuple[uuid.UUID, uuid.UUID]:
        """A player, and the match they are in, which goes on."""
        pairing = Pairing.objects.filter(round__bracket=self.bracket, match__isnull=False).first()
        if pairing is None or pairing.left_id is None or pairing.match_id is None:
            raise BadAnswer("A match that should be open is not.")
        return pairing.left_id, pairing.match_id


def seen(answer: Answer) -> Answer:
    if not answer.is_ok:
        raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
    return answer
