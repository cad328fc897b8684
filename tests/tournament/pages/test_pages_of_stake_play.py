"""Every page of a tournament of stake play, before and while it is played."""

import re
import uuid
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from matches.keepers import Keeper
from matches.rows import Stop
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.brackets.lengths import StakePlay
from tournament.draw.formats import Format, Kind
from tournament.models import Bracket, Pairing, Tournament
from tournament.results import desk, session_stops

pytestmark = pytest.mark.django_db

WHERE = ("/e/", "/me/")
WRONG = re.compile(r"to None|<(?:b|dd|td|span|strong)[^<>]*>\s*None\s*<")
"""What a page says where it does not know of sessions."""


OF_A_MATCH = ("<uuid:match", "<int:pairing", "/me/")
OF_PLAY = (*OF_A_MATCH, "<slug:tournament>", "/desk/", "/room/", "/forecast/", "/flow/", "/journal/")


def patterns(of: URLResolver, before: str = "/") -> Iterator[str]:
    for pattern in of.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, here)
        elif isinstance(pattern, URLPattern):
            yield here


def addresses(arguments: dict[str, object], of: tuple[str, ...]) -> list[str]:
    """Every address whose parts are all known and whose pattern contains one of these texts."""
    paths = []
    for pattern in patterns(get_resolver()):
        if not any(part in pattern for part in of):
            continue
        address = pattern.replace("<slug:key>", "<slug:bracket>")
        for name, value in arguments.items():
            for kind in ("slug", "uuid", "int", "str"):
                address = address.replace(f"<{kind}:{name}>", str(value))
        if address.startswith(WHERE) and not {"<", "^"} & set(address):
            paths.append(address)
    return paths


def known_of(made: Tournament, pairing: Pairing) -> dict[str, object]:
    return {
        "event": made.event.slug,
        "tournament_id": made.pk,
        "tournament": made.slug,
        "pairing_id": pairing.pk,
        "pairing": pairing.pk,
        "match_id": pairing.match_id or uuid.uuid4(),
        "match": pairing.match_id or uuid.uuid4(),
        "bracket": Bracket.objects.filter(tournament=made)
        .order_by("-position")
        .first()
        .key.replace(" ", "-"),
        "entry": pairing.left_id,
        "entry_id": pairing.left_id,
        "round_id": pairing.round_id,
        "kind": "csv",
        "number": 1,
    }


def looked_at(made: Tournament, pairings: list[Pairing], actor, of: tuple[str, ...] = OF_A_MATCH) -> int:
    """Every address of the first pairing, and of the others those of its match. A player opens the own pages.

    Returns how many were answered.
    """
    director, player = Client(), Client()
    director.force_login(actor.user)
    player.get(f"/p/{links.make_link(pairings[0].left, actor)}/", follow=True)
    answered, opened = 0, set()
    for pairing in pairings:
        parts = of if pairing == pairings[0] else OF_A_MATCH
        for address in addresses(known_of(made, pairing), parts):
            if address in opened:
                continue
            opened.add(address)
            answer = (player if address.startswith("/me/") else director).get(address)
            assert answer.status_code < 500, address
            if answer.status_code == 200 and not answer.streaming:
                answered += 1
                assert WRONG.search(answer.content.decode()) is None, address
    return answered


@pytest.mark.parametrize(
    ("sessions", "format_", "of"),
    [
        (StakePlay(minutes=60), Format(kind=Kind.ROUND_ROBIN, rounds=2), OF_PLAY),
        (StakePlay(games=3), Format(third_place=True), OF_A_MATCH),
    ],
)
def test_every_page_is_shown_in_each_state(sessions, format_, of):
    actor = stories.director()
    made = stories.released(actor, 8, stake=sessions, format=format_)
    level, stopped, reported, posted = stories.playable(made)[:4]
    for pairing in (level, stopped, posted):
        left, right = Phone(pairing, Keeper.LEFT), Phone(pairing, Keeper.RIGHT)
        for winner in ("left", "right"):
            left.game(winner)
        right.game("right")
    if sessions.minutes:
        session_stops.stop_round(stopped.round_id, made.pk, actor)
    posted.match.refresh_from_db()
    left.tail = posted.match.cards.get(keeper="left").tail
    left.game("left")
    if posted.match.cards.get(keeper="left").winner:
        desk.confirm(posted, Keeper.RIGHT, None, STRANGER)
    advancing.advance_waiting()
    Phone(reported, Keeper.LEFT).final(3, 11)
    assert looked_at(made, [level, stopped, reported, posted], actor, of) > (40 if of == OF_PLAY else 20)


def test_a_tournament_before_its_draw_is_shown_and_changed():
    actor = stories.director()
    made = stories.entered(actor, 4, stake=StakePlay(games=5), format=Format(kind=Kind.ROUND_ROBIN))
    client = Client()
    client.force_login(actor.user)
    here = f"/e/{made.event.slug}/{made.slug}"
    for address in (
        f"{here}/setup/",
        f"{here}/draw/",
        f"{here}/rules/",
        f"{here}/",
        f"/e/{made.event.slug}/forecast/",
    ):
        assert client.get(address).status_code == 200, address


def test_two_cards_of_a_session_are_shown_side_by_side():
    actor = stories.director()
    made = stories.released(actor, 2, stake=StakePlay(minutes=30), two_cards=True)
    pairing = stories.playable(made)[0]
    left, right = Phone(pairing, Keeper.LEFT), Phone(pairing, Keeper.RIGHT)
    left.game("left")
    right.game("right")
    left.send(Stop())
    right.send(Stop())
    assert looked_at(made, [pairing], actor) > 5
