"""The demonstration weekend: an Open in progress, an Intermediate just drawn, a finished evening tournament, doubles.

Calls work functions in the order in which a director would use them. It writes no rows directly.
"""

from collections.abc import Iterable
from random import Random

from django.db import transaction
from django.utils import timezone

from matches.keepers import Keeper
from matches.rows import FinalScore
from rules.ruleset import DEFAULT_PRESET, PRESETS
from rules.score import Game, Side, Win
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.demo import money, people
from tournament.demo.cards import Phones
from tournament.demo.filed import Filed
from tournament.demo.room import open_room
from tournament.draw.formats import Format
from tournament.drawing import draws
from tournament.drawing.draws import DrawPlan
from tournament.entries import attendance, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin, setup
from tournament.events.setup import EventPlan, TournamentPlan
from tournament.models import Entry, Event, Pairing, ResultKind, Tournament, Visibility
from tournament.models.brackets import DrawMethod
from tournament.queries.events.events import find_event
from tournament.results import desk, disputes

MAIN, CONSOLATION = "main", "consolation"
NAME, SLUG = "Harbour Weekend", "harbour-weekend"
VENUE = "Hotel Anker, Old Harbour"
SEEDS = 16


def exists() -> bool:
    return find_event(SLUG) is not None


@transaction.atomic
def open_weekend(director: Actor, rng: Random, visibility: Visibility = Visibility.PUBLIC) -> Event:
    """Creates the whole weekend in one transaction."""
    plan = EventPlan(NAME, timezone.localdate(), VENUE, "Europe/Oslo")
    event = setup.create_event(plan, director, visibility)
    second_chance = Format(consolation="progressive")
    evening = _tournament(event, "Friday evening", (5, 5, 3), director, second_chance)
    main = _tournament(event, "Open", (13, 11, 9, 9, 7, 7), director, second_chance)
    intermediate = _tournament(event, "Intermediate", (9, 7, 7, 5), director)
    play_the_open(main, director, rng)
    play_the_evening(evening, director, rng)
    _enter(intermediate, people.of_the_intermediate(), director)
    draws.make(intermediate.pk, DrawPlan(seed_text="Saturday noon, ship's bell"), director)
    play_the_doubles(event, director, rng)
    open_room(event, director)
    return event


def open_sample(director: Actor, rng: Random) -> Event:
    """Returns the director's smaller private event to try things out: a finished evening, and doubles in progress.

    Creates it if there is none, in many short transactions, so that no lock is held for long. An event that could not
    be completed is moved to the bin.
    """
    plan = EventPlan(NAME, timezone.localdate(), VENUE, "Europe/Oslo")
    event, is_new = setup.find_or_create_sample(plan, director)
    if is_new:
        try:
            _play_sample(event, director, rng)
        except Exception:
            recycle_bin.delete_event(event, director)
            raise
    return event


def _play_sample(event: Event, director: Actor, rng: Random) -> None:
    second_chance = Format(consolation="progressive")
    play_the_evening(_tournament(event, "Friday evening", (5, 5, 3), director, second_chance), director, rng)
    play_the_doubles(event, director, rng)
    open_room(event, director)


def play_the_evening(tournament: Tournament, director: Actor, rng: Random) -> None:
    """Plays a tournament of eight with its consolation to the end. The semifinals have game records."""
    money.set_prices(tournament, money.EVENING_FEES, money.EVENING_PRIZES, director)
    entries = _enter(tournament, people.of_the_evening(), director)
    money.take_fees(tournament, entries, director)
    phones = Phones.of(links.make_links(entries, director), rng)
    draws.make(tournament.pk, DrawPlan(seed_text="Friday, first ferry"), director)
    draws.release(tournament.pk, director)
    for pairing in _round(tournament, 1):
        phones.at(pairing).finishes()
    advancing.advance_waiting(tournament.event_id)
    for name, pairing in zip(("clean", "fault"), _round(tournament, 2), strict=True):
        Filed.of(name).played_at(phones.at(pairing))
    advancing.advance_waiting(tournament.event_id)
    for pairing in _round(tournament, 3):
        phones.at(pairing).finishes()
    advancing.advance_waiting(tournament.event_id)
    for number in (1, 2, 3):
        for pairing in _round(tournament, number, CONSOLATION):
            phones.at(pairing).finishes()
        advancing.advance_waiting(tournament.event_id)
    money.pay_prizes(tournament, director)


def play_the_doubles(event: Event, director: Actor, rng: Random) -> None:
    """Plays four pairs with two cards for each match: one match is over, in the other a card lacks a game."""
    plan = TournamentPlan("Doubles", PRESETS[DEFAULT_PRESET], (7, 5), two_cards=True, doubles=True)
    tournament = setup.create_tournament(event, plan, director)
    phones = Phones.of(links.make_links(_enter(tournament, people.of_the_doubles(), director), director), rng)
    draws.make(tournament.pk, DrawPlan(seed_text="Sunday, half past ten"), director)
    draws.release(tournament.pk, director)
    done, under_way = (phones.at(pairing) for pairing in _round(tournament, 1))
    done.keeps_two(done.games)
    advancing.advance_waiting(tournament.event_id)
    under_way.keeps_two([Game(Side.LEFT), Game(Side.RIGHT, Win.GAMMON), Game(Side.LEFT)], left_out=1)


def play_the_open(tournament: Tournament, director: Actor, rng: Random) -> None:
    """Plays forty-eight players: round 1 is over, round 2 in progress, round 3 and the consolation begin."""
    money.set_prices(tournament, money.OPEN_FEES, money.OPEN_PRIZES, director)
    entries = _enter(tournament, people.of_the_open(), director, seeds=SEEDS)
    money.take_fees(tournament, entries, director)
    phones = Phones.of(links.make_links(entries, director), rng)
    plan = DrawPlan(DrawMethod.SEEDED, "Saturday, high tide 09:42")
    draws.make(tournament.pk, plan, director)
    redraw_plan = DrawPlan(
        DrawMethod.SEEDED, "Saturday, high tide 09:43", reason="Two entries were paid after the draw"
    )
    draws.make(tournament.pk, redraw_plan, director)
    draws.release(tournament.pk, director)
    _first_round(tournament, phones, director)
    _second_round(tournament, phones, director)
    _third_round(tournament, phones)
    _second_chances(tournament, phones)
    for entry in entries[-2:]:
        links.request_link(entry)


def _first_round(tournament: Tournament, phones: Phones, director: Actor) -> None:
    absent, leaving, reported, disputed, slipping, *others = _with_a_match(_round(tournament, 1))
    desk.award(absent, absent.left_id, ResultKind.NO_SHOW, "Not there 30 minutes after the call", director)
    if leaving.right is not None:
        registration.withdraw(leaving.right, director, "Had to catch the ferry home")
    phones.at(reported).reports_the_score(Keeper.RIGHT)
    desk.confirm(reported, Keeper.DESK, None, director)
    table = phones.at(disputed)
    table.plays(Keeper.LEFT)
    table.plays_otherwise(Keeper.RIGHT)
    disputes.rule(
        disputed,
        disputes.Ruling.for_card(Keeper.LEFT, "Both remember the last game on the left card"),
        director,
    )
    table = phones.at(slipping)
    table.slips(Keeper.LEFT, table.games[0])
    table.finishes()
    for pairing in others:
        phones.at(pairing).finishes()
    advancing.advance_waiting(tournament.event_id)


def _second_round(tournament: Tournament, phones: Phones, director: Actor) -> None:
    pairings = _round(tournament, 2)
    for pairing in pairings[:6]:
        phones.at(pairing).finishes()
    advancing.advance_waiting(tournament.event_id)
    phones.at(pairings[0]).writes(Keeper.RIGHT, FinalScore(3, 7))
    phones.at(pairings[6]).plays()
    phones.at(pairings[7]).reports_the_score(Keeper.RIGHT)
    both = phones.at(pairings[8])
    both.plays(Keeper.LEFT)
    both.plays_otherwise(Keeper.RIGHT)
    doubted = phones.at(pairings[9])
    doubted.plays(Keeper.LEFT)
    doubted.disagrees(Keeper.RIGHT, "The fourth game was a gammon, not a single.")
    for games, pairing in enumerate(pairings[10:15], start=1):
        phones.at(pairing).is_at(games)
    _check_in_players(pairings[15], director)


def _check_in_players(pairing: Pairing, director: Actor) -> None:
    """Checks in two players without a phone. Their match has no entries yet."""
    for entry in (pairing.left, pairing.right):
        if entry is not None:
            attendance.check_in(entry, director, present=True)


def _third_round(tournament: Tournament, phones: Phones) -> None:
    done, under_way, *_ = _with_a_match(_round(tournament, 3))
    phones.at(done).finishes()
    advancing.advance_waiting(tournament.event_id)
    phones.at(under_way).is_at(2, Keeper.RIGHT)


def _second_chances(tournament: Tournament, phones: Phones) -> None:
    """Plays the consolation: three matches are over, one is in progress."""
    *done, under_way = _with_a_match(_round(tournament, 1, CONSOLATION))[:4]
    for pairing in done:
        phones.at(pairing).finishes()
    advancing.advance_waiting(tournament.event_id)
    phones.at(under_way).is_at(1)


def _tournament(
    event: Event, name: str, lengths: tuple[int, ...], director: Actor, played: Format | None = None
) -> Tournament:
    plan = TournamentPlan(
        name,
        PRESETS[DEFAULT_PRESET],
        lengths,
        confirm_after=20,
        format=played or Format(),
        side_lengths={CONSOLATION: (5, 3)},
    )
    return setup.create_tournament(event, plan, director)


def _enter(
    tournament: Tournament, players: Iterable[PlayerDetails], director: Actor, seeds: int = 0
) -> list[Entry]:
    """Enters players, the first ones as seeds. Most have paid and checked in."""
    entries = []
    for number, player in enumerate(players, start=1):
        card = EntryDetails(player, seed=number if number <= seeds else None, is_paid=number % 11 != 0)
        entry = registration.enter(tournament.pk, card, director)
        if number % 8 != 5:
            attendance.check_in(entry, director, present=True)
        entries.append(entry)
    return entries


def _round(tournament: Tournament, number: int, bracket: str = MAIN) -> list[Pairing]:
    round_row = tournament.brackets.get(key=bracket).rounds.get(number=number)
    return list(
        round_row.pairings.select_related("match", "left", "right", "round__bracket__tournament__event")
    )


def _with_a_match(pairings: Iterable[Pairing]) -> list[Pairing]:
    return [pairing for pairing in pairings if pairing.match_id]
