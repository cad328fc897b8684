"""Overviews of events and tournaments: progress, next step and entries."""

import random

import pytest

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded
from tournament.access.actors import STRANGER, Actor
from tournament.access.permissions import roles_by_event
from tournament.accounts import links
from tournament.draw.recipes import RoundName
from tournament.drawing import draws
from tournament.entries import attendance, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Role, Tournament
from tournament.queries.draws.preview import draw_preview, list_draws
from tournament.queries.entries.entry_list import entry_list
from tournament.queries.entries.names import find_selectable_entry, list_entries
from tournament.queries.events.events import EventLine, event_lines, split_by_role
from tournament.queries.events.overview import Step, event_overview, list_members, tournament_overview
from tournament.results import disputes

pytestmark = pytest.mark.django_db


def step(made: Tournament) -> Step:
    return tournament_overview(made).step


def test_the_overview_names_the_next_step_from_the_first_entry_to_the_champion(actor):
    made = stories.tournament(actor)
    assert step(made) == Step.ENTER
    for name in ("Ana", "Bo", "Cy", "Di"):
        registration.enter(made.pk, EntryDetails(PlayerDetails(name)), actor)
    assert step(made) == Step.DRAW
    draws.make(made.pk, draws.DrawPlan(), actor)
    assert step(made) == Step.RELEASE
    draws.release(made.pk, actor)
    assert step(made) == Step.PLAY
    champion = stories.play_out(made, actor, random.Random(1))
    over = tournament_overview(made)
    assert (over.step, over.champion) == (Step.OVER, champion.player.name)
    assert all(is_done for _, is_done in over.steps)


def test_progress_counts_matches_and_leaves_out_byes(actor):
    made = seeded(actor, 6)
    Phone(meeting(made, 4, 5), Keeper.LEFT).game("left")
    Phone(meeting(made, 3, 6), Keeper.LEFT).final(3, 0)
    progress = tournament_overview(made).progress
    assert (progress.matches, progress.decided) == (5, 0)
    assert (progress.playing, progress.reported, progress.disputed) == (1, 1, 0)
    disputes.open_dispute(meeting(made, 3, 6), Keeper.RIGHT, "", STRANGER)
    assert tournament_overview(made).progress.disputed == 1
    assert tournament_overview(made).questions == 1


def test_active_and_withdrawn_entries_are_counted_separately(actor):
    made = stories.entered(actor, 4, seeded=True)
    first, second = made.entries.select_related("player", "tournament").order_by("seed")[:2]
    attendance.check_in(first, actor, present=True)
    attendance.mark_paid(first, actor, paid=True)
    registration.withdraw(second, actor)
    counts = tournament_overview(made).entries
    numbers = (counts.entered, counts.arrived, counts.paid, counts.seeded, counts.withdrawn)
    assert numbers == (3, 1, 1, 3, 1)


def test_the_calendar_shows_every_event_and_the_readers_own_role(actor):
    made = stories.entered(actor, 3)
    registration.withdraw(made.entries.select_related("tournament").first(), actor)
    second_event = stories.event(stories.director(), "Elsewhere")
    lines = {line.event.pk: line for line in listed(actor)}
    assert (lines[made.event_id].tournaments, lines[made.event_id].entries) == (1, 2)
    assert (lines[made.event_id].role, lines[second_event.pk].role) == (Role.OWNER, "")
    assert [[event.pk for event in part] for part in split_by_role(roles_by_event(actor))] == [
        [made.event_id],
        [second_event.pk],
    ]
    assert {line.role for line in listed(STRANGER)} == {""}


def test_the_calendar_takes_as_many_statements_for_many_events_as_for_one(actor, django_assert_num_queries):
    for number in range(5):
        stories.event(actor, f"Evening {number}")
    with django_assert_num_queries(4):
        listed(actor)


def listed(actor: Actor) -> list[EventLine]:
    roles = roles_by_event(actor)
    return event_lines([event for part in split_by_role(roles) for event in part], roles)


def test_an_event_of_many_tournaments_takes_as_many_statements_as_one_of_one(
    actor, django_assert_num_queries
):
    made = seeded(actor, 8)
    for name in ("Novice", "Jackpot", "Doubles"):
        plan = setup.TournamentPlan(name, PRESETS["tournament"], (3,))
        setup.create_tournament(made.event, plan, actor)
    with django_assert_num_queries(10):
        overview = event_overview(made.event, list(made.event.tournaments.all()))
    assert [tournament.step for tournament in overview.tournaments] == [Step.PLAY, *[Step.ENTER] * 3]


def test_owners_come_first_among_the_people_of_an_event(actor):
    made = stories.event(actor)
    for name, role in (("aa", Role.DESK), ("zz", Role.DIRECTOR)):
        stories.join(made, stories.director(name), role, actor)
    assert [member.role for member in list_members(made)] == [Role.OWNER, Role.DIRECTOR, Role.DESK]


def test_a_preview_of_the_draw_counts_byes_matches_and_rounds(actor):
    preview = draw_preview(stories.entered(actor, 6, lengths=(7, 5)))
    assert (preview.entries, preview.byes, preview.matches, preview.is_possible) == (6, 2, 5, True)
    assert [(stage.name, stage.length, stage.matches) for stage in preview.rounds] == [
        (RoundName.QUARTERFINALS, 5, 2),
        (RoundName.SEMIFINALS, 5, 2),
        (RoundName.FINAL, 7, 1),
    ]


def test_a_single_entry_cannot_be_drawn(actor):
    preview = draw_preview(stories.entered(actor, 1))
    assert (preview.is_possible, preview.rounds, preview.matches) == (False, (), 0)


def test_the_draw_that_counts_comes_first(actor):
    made = stories.drawn(actor, 4)
    draws.make(made.pk, draws.DrawPlan(seed_text="again"), actor)
    assert [(draw.number, draw.replaced_at is None) for draw in list_draws(made)] == [(2, True), (1, False)]


def test_the_entry_list_can_be_sorted_and_searched(actor):
    made = stories.tournament(actor)
    for name, club, seed in (("Zoë", "Rosso", 1), ("Ana", "Blu", None), ("Bo", "Rosso", 2)):
        registration.enter(made.pk, EntryDetails(PlayerDetails(name, club=club), seed=seed), actor)
    by_name = [line.entry.player.name for line in entry_list(made)]
    assert by_name == ["Ana", "Bo", "Zoë"]
    assert [line.entry.seed for line in entry_list(made, "seed")] == [1, 2, None]
    assert [line.entry.player.name for line in entry_list(made, words="rosso zoë")] == ["Zoë"]
    assert [line.entry.player.name for line in entry_list(made, "no such order")] == by_name


def test_slips_are_for_active_entries_without_a_phone(actor):
    made = stories.entered(actor, 4, seeded=True)
    first, two = made.entries.select_related("tournament").order_by("seed")[:2]
    links.make_link(first, actor)
    registration.withdraw(two, actor)

    def seeds_of(filter_name: str) -> set[int | None]:
        return {line.entry.seed for line in entry_list(made, filter_name=filter_name)}

    assert seeds_of("no-phone") == seeds_of("active") == {1, 3, 4}
    assert seeds_of("not-printed") == {3, 4}
    links.record_connection(first.links.all())
    assert seeds_of("no-phone") == {3, 4}
    assert {line.entry.seed: (line.phones, line.waiting) for line in entry_list(made)}[1] == (1, 0)


def test_all_entries_are_listed_but_only_active_ones_can_be_chosen(actor):
    made = stories.entered(actor, 3, seeded=True)
    gone = made.entries.select_related("tournament").get(seed=1)
    registration.withdraw(gone, actor)
    assert len(list_entries(made)) == 3
    assert find_selectable_entry(made.event, gone.pk) is None
    assert find_selectable_entry(made.event, made.entries.get(seed=2).pk) is not None
    assert find_selectable_entry(stories.event(actor, "Elsewhere"), made.entries.get(seed=2).pk) is None
