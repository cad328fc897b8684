"""Who may do what: every address and verb, and the roles it is open to. Everybody else is refused.

A body need not be in order: a role that may come in gets an answer about the body, one that may not is turned away
before anybody looks at it.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

OWNER, DIRECTOR, DESK, PLAYER, OTHER, STRANGER = ROLES = (
    "owner", "director", "desk", "player", "player of another match", "stranger",
)  # fmt: skip
EVERYBODY = frozenset(ROLES)
OWNERS = frozenset({OWNER})
DIRECTORS = OWNERS | {DIRECTOR}
DESKS = DIRECTORS | {DESK}
USERS = DESKS
PHONES = frozenset({PLAYER, OTHER})
THIS_MATCH = frozenset({PLAYER})

Arguments = Callable[[Any], list[Any]]


@dataclass(frozen=True)
class Row:
    name: str
    verb: str
    roles: frozenset[str]
    arguments: Arguments = lambda hall: []
    body: Callable[[Any], dict[str, Any]] = field(default=lambda hall: {})

    def __str__(self) -> str:
        return f"{self.verb} {self.name}"


def event(hall: Any) -> list[Any]:
    return [hall.tournament.event.slug]


def tournament(hall: Any) -> list[Any]:
    return [hall.tournament.event.slug, hall.tournament.slug]


def by_id(hall: Any) -> list[Any]:
    return [hall.tournament.pk]


def match(hall: Any) -> list[Any]:
    return [hall.pairing.match_id]


def card(hall: Any) -> list[Any]:
    return [hall.pairing.match_id, "left"]


def pairing(hall: Any) -> list[Any]:
    return [hall.pairing.pk]


def entry(hall: Any) -> list[Any]:
    return [hall.pairing.left_id]


def game(hall: Any) -> dict[str, Any]:
    return {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}


def rows(
    names: str, verbs: str, roles: frozenset[str], arguments: Arguments | None = None, **more: Any
) -> list[Row]:
    given = arguments or (lambda hall: [])
    return [Row(name, verb, roles, given, **more) for name in names.split() for verb in verbs.split()]


API_ROWS = [
    *rows("schema presets events", "GET", EVERYBODY),
    *rows("events", "POST", USERS, body=lambda hall: {"name": "New", "starts_on": "2026-11-21"}),
    *rows("event tournaments", "GET", EVERYBODY, event),
    *rows("event", "PUT", DIRECTORS, event),
    *rows("people", "GET", DIRECTORS, event),
    *rows("people", "PUT", OWNERS, event),
    *rows("person", "DELETE", OWNERS, lambda hall: [*event(hall), "desk"]),
    *rows("journal", "GET", DESKS, event),
    *rows("tournaments", "POST", DIRECTORS, event),
    *rows("tournament entries draws", "GET", EVERYBODY, by_id),
    *rows("tournament", "PUT", DIRECTORS, by_id),
    *rows("entries", "POST", DESKS, by_id),
    *rows("import", "POST PUT", DIRECTORS, by_id),
    *rows("draws", "POST DELETE", DIRECTORS, by_id),
    *rows("release", "POST", DIRECTORS, by_id),
    *rows("bracket", "GET", EVERYBODY, lambda hall: [*by_id(hall), "main"]),
    *rows("standings results", "GET", EVERYBODY, by_id),
    *rows("questions", "GET", DESKS, by_id),
    *rows("entry", "GET PUT", DESKS, entry),
    *rows("entry", "DELETE", DIRECTORS, entry),
    *rows("links", "POST PUT", DESKS, entry),
    *rows("entry-action", "POST", DESKS, lambda hall: [*entry(hall), "check-in"]),
    *rows("round", "PUT", DIRECTORS, lambda hall: [hall.pairing.round_id]),
    *rows("match", "GET", EVERYBODY, match),
    *rows("games", "POST", DESKS | THIS_MATCH, match, body=game),
    *rows("final strikes confirm", "POST", DESKS | THIS_MATCH, match),
    *rows("disagree", "POST", THIS_MATCH, match),
    *rows("ruling", "POST", DESKS, match),
    *rows("card-games card-penalties card-final card-strikes", "POST", DESKS, card),
    *rows("award retract", "POST", DESKS, pairing),
    *rows("question-close", "POST", DESKS, lambda hall: [hall.question.pk]),
    *rows("tokens", "GET POST", USERS),
    *rows("token", "DELETE", OWNERS, lambda hall: [hall.api_token.pk]),
    *rows("me", "GET", PHONES),
]

PAGE_ROWS = [
    *rows("home sign-in reach reach-check healthz readyz", "GET", EVERYBODY),
    *rows("sign-in sign-out", "POST", EVERYBODY),
    *rows("sign-in-link", "GET POST", EVERYBODY, lambda hall: ["not-a-token"]),
    *rows("personal-link", "GET", EVERYBODY, lambda hall: [hall.left]),
    *rows("event poster", "GET", EVERYBODY, event),
    *rows("poster", "POST", EVERYBODY, event),
    *rows("poster-wait", "GET", EVERYBODY, event),
    *rows("bracket bracket-fragment bracket-print standings entry-list rules-page bracket-svg", "GET", EVERYBODY,
          tournament),
    *rows("standings-export results-export", "GET", EVERYBODY, lambda hall: [*tournament(hall), "csv"]),
    *rows("player-page", "GET", EVERYBODY, lambda hall: [*tournament(hall), hall.pairing.left_id]),
    *rows("my-matches my-matches-fragment", "GET", PHONES),
    *rows("forget-phone", "POST", EVERYBODY),
    *rows("my-match my-match-fragment", "GET", THIS_MATCH, match),
    *rows("my-row my-undo my-final my-confirm my-disagree", "POST", THIS_MATCH, match),
    *rows("event-new", "GET POST", USERS),
    *rows("password", "GET POST", USERS),
    *rows("api-tokens", "GET POST", USERS),
    *rows("api-token-revoke", "POST", OWNERS, lambda hall: [hall.api_token.pk]),
    *rows("link-action", "POST", DESKS, lambda hall: [hall.waiting.pk, "approve"]),
    *rows("event-overview", "GET", DESKS, event),
    *rows("event-edit", "GET POST", DIRECTORS, event),
    *rows("event-people", "GET POST", OWNERS, event),
    *rows("people-helper", "POST", OWNERS, event),
    *rows("people-action", "POST", OWNERS, lambda hall: [*event(hall), hall.desk.user.pk, "take"]),
    *rows("event-journal", "GET", DESKS, event),
    *rows("poster-print", "GET", DESKS, event),
    *rows("tournament-new", "GET POST", DIRECTORS, event),
    *rows("tournament-edit", "GET POST", DIRECTORS, tournament),
    *rows("entries", "GET POST", DESKS, tournament),
    *rows("entries-import", "GET POST", DIRECTORS, tournament),
    *rows("entry-edit", "GET POST", DESKS, lambda hall: [*tournament(hall), hall.pairing.left_id]),
    *rows("entry-action", "POST", DESKS, lambda hall: [*tournament(hall), hall.pairing.left_id, "check-in"]),
    *rows("slips", "GET POST", DESKS, tournament),
    *rows("score-cards", "GET", DESKS, tournament),
    *rows("draw", "GET", DESKS, tournament),
    *rows("draw", "POST", DIRECTORS, tournament),
    *rows("desk desk-fragment", "GET", DESKS, tournament),
    *rows("desk", "POST", DESKS, tournament),
    *rows("desk-match", "GET", DESKS, lambda hall: [*tournament(hall), hall.pairing.pk]),
    *rows("desk-action", "POST", DESKS, lambda hall: [*tournament(hall), hall.pairing.pk, "final"]),
    *rows("question-close", "POST", DESKS, lambda hall: [*tournament(hall), hall.question.pk]),
]  # fmt: skip

TABLE = [
    *(Row(f"v1:{row.name}", row.verb, row.roles, row.arguments, row.body) for row in API_ROWS),
    *PAGE_ROWS,
]
