"""Every format is played to its end over HTTP, by phones and a desk, with real workers, on whatever nodes are left."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from urllib.request import urlopen

from rules.ruleset import PRESETS
from tests.flows.waiting import LONGEST_WAIT, until, until_all_advanced
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.brackets import storage
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Stop
from tournament.draw.seating import resolve
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Event, Pairing, Result, Tournament, Visibility
from tournament.queries.events.overview import Step, tournament_overview
from tournament.rehearsal.wire import Wire

PROGRESSIVE = "progressive"
BEFORE_THE_FALL = 5
ALL = [
    (Format(third_place=True), 5),
    (Format(consolation=PROGRESSIVE, last_chance=PROGRESSIVE, last_chance_rounds=2), 7),
    (Format(Kind.DOUBLE, reset=True), 5),
    (Format(Kind.ROUND_ROBIN), 4),
    (Format(Kind.GROUPS, groups=2, qualifiers=1), 6),
    (Format(Kind.SWISS, rounds=2), 5),
    (Format(Kind.MONRAD, rounds=2), 4),
    (Format(Kind.LIVES, lives=2, stop=Stop.BELOW), 5),
]


def opened(plans: list[tuple[Format, int]], actor: Actor) -> Event:
    """An event in which each of these is drawn and released; matches to one point."""
    event = setup.create_event(setup.EventPlan("All of them", date(2026, 11, 20)), actor, Visibility.PUBLIC)
    for number, (chosen, entries) in enumerate(plans, start=1):
        plan = setup.TournamentPlan(f"{chosen.kind} {number}", PRESETS["tournament"], (1,), format=chosen)
        made = setup.create_tournament(event, plan, actor)
        for index in range(1, entries + 1):
            registration.enter(made.pk, EntryDetails(PlayerDetails(f"Player {number}.{index}")), actor)
        draws.make(made.pk, draws.DrawPlan(seed_text="a seed"), actor)
        draws.release(made.pk, actor)
    return event


def test_every_format_finishes_although_a_node_stops(stage):
    """All formats run at the same time. A laptop has a single node, which keeps running."""
    with stage.database():
        event = opened(ALL, stories.director())
    posted = Result.objects.filter(pairing__round__bracket__tournament__event=event)
    with ThreadPoolExecutor(1) as threads:
        options = ("--url", stage.url, "--speed", "0", "--seed", "5")
        playing = threads.submit(stage.manage, "rehearse", event.slug, *options)
        until(lambda: playing.done() or stage.query(posted.count) > BEFORE_THE_FALL, "they play", stage)
        with stage.one_node_less():
            output = playing.result()
    assert "refused:" in output, output
    with stage.database():
        until_all_advanced(stage)
        assert consistency.differences(event) == []
        for tournament, (chosen, _entries) in zip(event.tournaments.all(), ALL, strict=True):
            is_played_out(tournament)
            assert chosen.kind is not Kind.SWISS or tournament.brackets.get().rounds.count() == chosen.rounds
            has_a_winner(stage.url, tournament)


def first_live_line(bracket: object, stream: Iterable[bytes]) -> bytes:
    """Returns the first line of a live stream that names the bracket."""
    return next(line for line in stream if line.startswith(f"data: {bracket}".encode()))


def test_a_result_posted_at_one_node_is_shown_by_the_other(stage):
    with stage.database():
        actor = stories.director()
        tournament, token = stories.released(actor, 2), links.make_api_token(actor.user, "the desk")
    first, last = stage.addresses[0], stage.addresses[-1]
    desk, here = Wire(first, token), f"/api/v1/tournaments/{tournament.pk}"
    bracket, [pairing] = desk.get(f"{here}/brackets/main/").body["id"], open_pairings(desk, here)
    with urlopen(f"{last}/live/?bracket={bracket}", timeout=LONGEST_WAIT) as stream:
        body = {"kind": "walkover", "winner": pairing["left"]["entry_id"], "reason": "Not here"}
        assert desk.post(f"/api/v1/pairings/{pairing['id']}/award/", body).is_ok
        assert first_live_line(bracket, stream)


def test_free_players_are_paired_while_others_play(stage):
    """Lives, paired over HTTP after every result until no two players can be paired."""
    with stage.database():
        actor = stories.director()
        event = opened([(Format(Kind.LIVES, lives=2), 7)], actor)
        tournament = event.tournaments.get()
        desk = Wire(stage.url, links.make_api_token(actor.user, "the desk"))
    here, codes, most_at_once = f"/api/v1/tournaments/{tournament.pk}", [], 0
    while "event-over" not in codes:
        assert len(codes) < 40, codes
        playing = open_pairings(desk, here)
        most_at_once = max(most_at_once, len({pairing["round"] for pairing in playing}))
        for pairing in playing[:1]:
            body = {"kind": "walkover", "winner": pairing["left"]["entry_id"], "reason": "Quick"}
            answer = desk.post(f"/api/v1/pairings/{pairing['id']}/award/", body)
            assert answer.is_ok, answer
        with stage.database():
            until_all_advanced(stage)
        codes.append(desk.post(f"{here}/rounds/free/").code)
        assert set(codes) <= {"201", "nobody-to-pair", "event-over"}, codes
    assert most_at_once > 1
    with stage.database():
        assert consistency.differences(event) == []
        is_played_out(tournament)
        has_a_winner(stage.url, tournament)


def open_pairings(desk: Wire, here: str) -> list[dict[str, Any]]:
    """The playable pairings, the earliest round first."""
    answer = desk.get(f"{here}/brackets/main/")
    assert answer.is_ok, answer
    pairings = [pairing for row in answer.body["rounds"] for pairing in row["pairings"]]
    return [pairing for pairing in pairings if pairing["state"] == "ready"]


def is_played_out(tournament: Tournament) -> None:
    assert tournament_overview(tournament).step == Step.OVER
    assert not Pairing.objects.filter(round__bracket__tournament=tournament, settled="").exists()
    sheet = storage.read(tournament)
    assert sheet.seated() == resolve(sheet.graph, *sheet.facts).states


def has_a_winner(url: str, tournament: Tournament) -> None:
    """Everybody has a place by the public standings of some bracket, and in the last one somebody has the first."""
    wire, here = Wire(url), f"/api/v1/tournaments/{tournament.pk}"
    named = set()
    for bracket in wire.get(f"{here}/brackets/").body:
        answer = wire.get(f"{here}/standings/?bracket={bracket['slug']}")
        assert answer.is_ok, answer
        assert answer.body[0]["place_from"] == 1
        named |= {line["name"] for line in answer.body}
    assert named == set(tournament.entries.values_list("player__name", flat=True))
