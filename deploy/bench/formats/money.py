"""Times of the cash desk and of a payout, on a database without other users."""

import uuid
from collections.abc import Callable
from http import HTTPStatus
from itertools import count

from django.conf import settings
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from deploy.bench.figures import Figures
from deploy.bench.formats.measures import Measure, Sizes, no_argument, time_calls
from deploy.bench.steps import UnexpectedAnswer
from deploy.python_stack import in_one_stack_chunk
from tournament.access.actors import Actor
from tournament.accounts import directors
from tournament.fees.schedule import MAIN_POT, Fee, FeeSchedule, SidePool
from tournament.ledger.accounts import player_account, pot_account
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, Tournament
from tournament.money.fees import set_schedule
from tournament.money.payments import OpenAmounts
from tournament.money.payouts import pay_out_all

CASH_DESK_MS, PAYOUT_MS = 60.0, 300.0
PLAYERS_AT_THE_DESK = 500
STATIC_FILES = "django.contrib.staticfiles.storage.StaticFilesStorage"
POTS = (MAIN_POT, *"12345")
FEES = FeeSchedule(
    "EUR",
    Fee(50_00),
    Fee(10_50),
    pools=tuple(SidePool(key, f"Side pool {key}", Fee(15_00)) for key in POTS[1:]),
)


def measure_cash_desk(tournament: Tournament, director: Actor, sizes: Sizes) -> Measure:
    """Times the whole page of the cash desk, without the network and without hashes of static files."""
    set_schedule(tournament.pk, FEES, director)
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": STATIC_FILES}}):
        client = Client(headers={"host": "localhost"})
        client.force_login(directors.get_director())
        address = reverse("cash-desk", args=[tournament.event.slug])
        status = client.get(address).status_code
        if status != HTTPStatus.OK:
            raise UnexpectedAnswer(f"The cash desk answered {status}.")

        @in_one_stack_chunk
        def open_page(_: None) -> None:
            """As the web server runs a request."""
            client.get(address)

        seconds = time_calls(open_page, no_argument, sizes.samples)
    number = tournament.entries.count()
    return Measure(
        f"cash desk of {number:,} players",
        Figures.of(seconds),
        CASH_DESK_MS if sizes.marks else None,
        note="in the process",
    )


def measure_payout(tournament: Tournament, director: Actor, sizes: Sizes) -> Measure:
    """Times the payout of a prize to every player, out of six pots. The prizes are posted outside of the time."""
    players = list(tournament.entries.order_by("pk").values_list("player", flat=True))
    seconds = time_calls(
        lambda expected: pay_out_all(tournament.event, expected, AccountKind.CASH, director),
        _prizes(tournament, director, players),
        max(2, sizes.samples // 3),
    )
    return Measure(
        f"payout to {len(players):,} players over {len(POTS)} pots",
        Figures.of(seconds),
        PAYOUT_MS if sizes.marks else None,
    )


def _prizes(tournament: Tournament, director: Actor, players: list[uuid.UUID]) -> Callable[[], OpenAmounts]:
    """A function that posts a prize of 10.00 to every player, each from one of the pots, and returns the claims."""
    numbers = count()

    def post() -> OpenAmounts:
        number = next(numbers)
        deeds = [
            NewDeed(
                Deed.PRIZE,
                f"bench {number} {player}",
                [
                    TransferLine(
                        "prize",
                        player_account(player, "EUR"),
                        pot_account(tournament.pk, POTS[place % len(POTS)], "EUR"),
                        10_00,
                    )
                ],
            )
            for place, player in enumerate(players)
        ]
        with lock_book(tournament.event_id) as book:
            record(book, deeds, JournalEntry("award prizes", "tournament", tournament.pk), director)
        return open_amounts(tournament.event_id, players)

    return post
