"""Access to the pairing of rounds: next round, preview, pairs set by hand, automatic pairing."""

from typing import Any

from tests.tournament.access.world import (
    DESKS,
    DIRECTORS,
    EVERYBODY,
    World,
    a_round_is_paired,
    a_round_is_played,
    lives_are_played,
    novice,
    novice_by_id,
    press,
    rows,
    says,
)
from tournament.drawing import pair_rules, round_previews, round_release
from tournament.models import PairRule, RoundPreview, RoundRelease

NOON = "2026-11-20T12:00:00Z"


def next_round_stopped(world: World) -> list[Any]:
    return [*novice(world), 2, "stop"]


def a_round_is_paired_automatically(world: World) -> None:
    round_release.set_round_release(world.novice.pk, RoundRelease.AUTOMATIC, world.hall.owner)
    a_round_is_played(world)


def a_round_is_previewed(world: World) -> None:
    a_round_is_played(world)
    round_previews.preview_next_round(world.novice.pk, world.hall.owner)


def players_to_swap(world: World) -> dict[str, Any]:
    """Empty without a preview, for requests that are refused in any case."""
    preview = RoundPreview.objects.first()
    if preview is None:
        return {}
    (first, _), (second, _), *_ = round_previews.preview_seats(preview)
    return {"number": 1, "first": first, "second": second, "reason": "One car for both"}


def two_are_swapped(world: World) -> None:
    a_round_is_previewed(world)
    body = players_to_swap(world)
    round_previews.swap_players(
        world.novice.pk, body["first"], body["second"], body["reason"], world.hall.owner
    )


def two_kept_apart(world: World) -> dict[str, Any]:
    first, second = sorted(world.novice.entries.values_list("pk", flat=True))[:2]
    return {"kind": "apart", "first": first, "second": second, "reason": "Sisters"}


def two_are_kept_apart(world: World) -> None:
    a_round_is_played(world)
    body = two_kept_apart(world)
    pair_rules.keep_apart(world.novice.pk, body["first"], body["second"], body["reason"], world.hall.owner)


def pair_rule(world: World) -> list[Any]:
    rule = PairRule.objects.first()
    return [*novice_by_id(world), rule.pk if rule else 1]


def first_swap(world: World) -> list[Any]:
    return [*novice_by_id(world), 1]


ROUND_API_ROWS = [
    *rows("rounds", "POST", DIRECTORS, novice_by_id, ready=a_round_is_played, done=201),
    *rows("rounds-free", "POST", DIRECTORS, novice_by_id, ready=lives_are_played, done=201),
    *rows("rounds", "DELETE", DIRECTORS, novice_by_id, ready=a_round_is_paired, body=says(reason="late"), done=204),
    *rows("round-release", "GET", DESKS, novice_by_id),
    *rows("round-release", "PUT", DIRECTORS, novice_by_id, body=says(round_release="automatic", release_grace=5)),
    *rows("planned-times", "GET", EVERYBODY, novice_by_id),
    *rows("planned-times", "PUT", DIRECTORS, novice_by_id, body=says(times=[{"round": 1, "starts_at": NOON}])),
    *rows("round-preview", "GET", DESKS, novice_by_id, ready=a_round_is_previewed),
    *rows("round-preview", "POST", DIRECTORS, novice_by_id, ready=a_round_is_played, done=201),
    *rows("round-preview", "DELETE", DIRECTORS, novice_by_id, ready=a_round_is_previewed, done=204),
    *rows("round-preview-release", "POST", DIRECTORS, novice_by_id, ready=a_round_is_previewed, done=201),
    *rows("preview-swaps", "POST", DIRECTORS, novice_by_id, ready=a_round_is_previewed, body=players_to_swap, done=201),
    *rows("preview-swap", "DELETE", DIRECTORS, first_swap, ready=two_are_swapped, done=204),
    *rows("pair-rules", "GET", DESKS, novice_by_id),
    *rows("pair-rules", "POST", DIRECTORS, novice_by_id, ready=a_round_is_played, body=two_kept_apart, done=201),
    *rows("pair-rule", "DELETE", DIRECTORS, pair_rule, ready=two_are_kept_apart, done=204),
]  # fmt: skip

ROUND_ROWS = [
    *rows("next-round", "GET", DESKS, novice, ready=a_round_is_played),
    *press("next-round", DIRECTORS, novice, ready=a_round_is_played, body=says(do="pair")),
    *press("automatic-pairing", DIRECTORS, next_round_stopped, ready=a_round_is_paired_automatically),
]  # fmt: skip
