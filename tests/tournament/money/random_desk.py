"""Two tournaments of an event with the same players, and what is true of their books after every deed."""

import inspect
import os
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count

from django.db import connection
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.money import book_checks
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws, round_previews
from tournament.entries import reentry
from tournament.entries.reentry import ReentryTerms
from tournament.events import setup
from tournament.ledger.balances import open_amounts
from tournament.models import CashClosing, Entry, JournalLine, Pairing, Result, Tournament
from tournament.money import tills
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.runtime.errors import NotFound, Refused

SEEDS = st.integers(0, 2**32)
KILLED, LAST_STATEMENT = 0.2, 60
"""A fifth of the work is killed before one of so many statements, if it has that many; most work has 5 to 40."""
RUN = os.environ.get("MONEY_SEED", "")
FORMATS = (
    Format(),
    Format(),
    Format(Kind.DOUBLE),
    Format(Kind.ROUND_ROBIN),
    Format(Kind.SWISS, rounds=2),
    Format(Kind.LIVES, lives=2),
)


def deed(**choices: Sequence[object]):
    """Marks a method as a deed that `RandomDesk` does with one of the choices for each argument."""

    def mark(method):
        method.choices = choices
        return method

    return mark


class Killed(BaseException):
    """Ends the work like a killed process: the database rolls back what is not committed when the connection ends."""


@contextmanager
def killed_before_statement(number: int) -> Iterator[None]:
    """Raises Killed instead of the statement with this number, counted from 1, and of each later one."""
    numbers = count(1)

    def kill(execute, *arguments):
        if next(numbers) >= number:
            raise Killed
        return execute(*arguments)

    with connection.execute_wrapper(kill):
        yield


class RandomDesk(RuleBasedStateMachine):
    """The first tournament is drawn at some time; the second may be in the bin.

    Hypothesis chooses seeds and no deeds: all deeds are equally likely, also in few examples. Each deed commits, so
    that other connections see it.
    """

    def teardown(self) -> None:
        book_checks.check_pages(self.event)

    @initialize(seed=SEEDS)
    def open_the_desk(self, seed: int) -> None:
        self.steps, self.chance = 0, random.Random(f"{RUN} {seed}")
        self.actor = stories.director()
        chosen = self.chance.choice(FORMATS)
        self.first = stories.entered(self.actor, self.chance.randint(4, 6), format=chosen)
        self.event = self.first.event
        names = [f"{self.event.pk} {number}" for number in range(2)]
        helpers = [stories.helper(self.event, "cash", self.actor, name) for name in names]
        self.tellers = [self.actor, *helpers]
        reentry.set_terms(self.first.pk, ReentryTerms(allowed=True), self.actor)
        plan = setup.TournamentPlan("Doubling", PRESETS["tournament"], (3,))
        self.second = setup.create_tournament(self.event, plan, self.actor)
        self.newcomers = 0
        self.written = book_checks.written_rows(self.event)
        self.checked: tuple[int, ...] = ()
        self.begin()

    def begin(self) -> None:
        """Sets up fees, prizes and an auction, and lets some of the day pass."""
        raise NotImplementedError

    @rule(seed=SEEDS)
    def a_deed_is_done(self, seed: int) -> None:
        self.steps += 1
        self.chance.seed(f"{RUN} {seed} {self.steps}")
        deeds = sorted(name for name, method in inspect.getmembers(type(self)) if hasattr(method, "choices"))
        method = getattr(self, self.chance.choice(deeds))
        arguments = {name: self.chance.choice(values) for name, values in method.choices.items()}
        note(f"{method.__name__} {arguments}")
        method(**arguments)

    def twice(self, work: Callable[[], object]) -> None:
        """Does it, and does it again: the second time is refused or changes nothing in the books."""
        if self.once(work):
            before = self.rows_of_books()
            with suppress(Refused, NotFound):
                work()
            assert self.rows_of_books() == before

    def once(self, work: Callable[[], object]) -> bool:
        """Does it, or finds the books as they were because it was refused. Killed work is repeated."""
        before = self.rows_of_books()
        statement = int(LAST_STATEMENT ** self.chance.random())
        try:
            if self.chance.random() > KILLED or self.is_killed(work, statement):
                work()
        except Refused:
            assert self.rows_of_books() == before
            return False
        return True

    def is_killed(self, work: Callable[[], object], statement: int) -> bool:
        """Does the work, and returns False if it has fewer statements. Killed work leaves the books as they were."""
        before = self.rows_of_books()
        try:
            with killed_before_statement(statement):
                work()
        except Killed:
            connection.close()
            note(f"killed before statement {statement}")
            assert self.rows_of_books() == before
            assert differences_in_books(self.event) == []
            return True
        return False

    def rows_of_books(self) -> tuple[int, ...]:
        return book_checks.rows_of_books(self.event)

    @deed()
    def a_count_is_taken_back(self) -> None:
        closings = list(CashClosing.objects.filter(event=self.event))
        if closings:
            pk = self.chance.choice(closings).pk
            self.twice(lambda: tills.take_count_back(self.event, pk, self.actor, "Wrong name"))

    def playable_pairing(self) -> Pairing | None:
        rows = stories.playable(self.first)
        return self.chance.choice(rows) if rows else None

    def played_pairing(self) -> Pairing | None:
        rows = Result.objects.filter(superseded_by=None, pairing__round__bracket__tournament=self.first)
        pks = list(rows.exclude(winner=None).order_by("pk").values_list("pairing", flat=True))
        return stories.pairings(self.first).get(pk=self.chance.choice(pks)) if pks else None

    def entry(self) -> Entry:
        entries = Entry.objects.filter(tournament__event=self.event, tournament__deleted_at=None)
        return self.chance.choice(
            list(entries.order_by("entered_at", "pk").select_related("player", "tournament"))
        )

    def player(self) -> uuid.UUID:
        """Also one without an entry, such as a buyer in an auction."""
        return self.chance.choice(list(self.event.players.order_by("full_name", "name"))).pk

    def tournament(self) -> Tournament:
        rows = Tournament.objects.filter(event=self.event).order_by("created_at")
        return self.chance.choice(list(rows))

    def open_amounts(self) -> dict[uuid.UUID, dict[str, int]]:
        return open_amounts(self.event.pk, list(self.event.players.values_list("pk", flat=True)))

    def draw(self) -> None:
        draws.make(self.first.pk, draws.DrawPlan(seed_text="a seed"), self.actor)
        draws.release(self.first.pk, self.actor)

    def play_out(self) -> None:
        """Plays to the end, if the tournament is drawn."""
        self.advance()
        while playable := stories.playable(self.first):
            while playable:
                stories.play(playable[0], self.actor)
                playable = stories.playable(self.first)
            self.pair_round()

    def pair_round(self) -> None:
        if next_rounds([self.first])[self.first.pk].state is NextRoundState.COMPLETE:
            self.once(lambda: round_previews.pair_and_release(self.first.pk, self.actor))

    def advance(self) -> None:
        """A worker moves on the players of results that it has not seen."""
        for result in Result.objects.filter(
            pairing__round__bracket__tournament=self.first, superseded_by=None
        ):
            advancing.advance(result.pk)

    @invariant()
    def books_are_right(self) -> None:
        """Skipped after deeds that left no trace, such as refused ones."""
        rows = (*self.rows_of_books(), JournalLine.objects.filter(event=self.event).count())
        if rows == self.checked:
            return
        self.checked = rows
        book_checks.check_balances(self.event)
        book_checks.check_deeds(self.event)
        book_checks.check_pots(self.event)
        book_checks.check_receipts(self.event)
        assert differences_in_books(self.event) == []
        written = book_checks.written_rows(self.event)
        assert [new[: len(old)] for new, old in zip(written, self.written, strict=True)] == self.written
        self.written = written
