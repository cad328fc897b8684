"""A rehearsal plays an event to its end over HTTP, with everything that people do."""

from rules.ruleset import PRESETS
from tests.flows import replay
from tests.flows.hall import open_hall
from tests.flows.waiting import until_all_advanced
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.events import setup, visibility
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import ApiToken, PersonalLink, Result, Visibility
from tournament.money import fees
from tournament.money.prize_structures import set_structure
from tournament.prizes.structure import Part, PrizeStructure
from tournament.queries.money.books import account_balances


def test_a_rehearsal_finishes_the_event_and_prints_a_report(stage):
    hall = open_hall(stage, entries=8, length=5)
    with stage.database():
        plan = setup.TournamentPlan("Doubles", PRESETS["tournament"], (5,), two_cards=True, doubles=True)
        director = Actor(user=hall.tournament.event.memberships.get().user)
        doubles = setup.create_tournament(hall.tournament.event, plan, director)
        stories.draw_and_release(doubles, director, 4)
        visibility.set_visibility(doubles, Visibility.PRIVATE, director)
        fees.set_schedule(hall.tournament.pk, FeeSchedule("EUR", Fee(50_00), Fee(10_00)), director)
        prizes = PrizeStructure("EUR", (Part("main", 1, 1, 2), Part("main", 2, 2, 1)))
        set_structure(hall.tournament.pk, prizes, director)
    output = stage.manage(
        "rehearse", hall.tournament.event.slug, "--url", stage.url, "--speed", "0", "--seed", "5"
    )
    print(output)
    assert "10 matches" in output
    assert "confirmed by the opponent" in output
    assert "a card was taken over" in output
    assert "refused:" in output
    with stage.database():
        until_all_advanced(stage)
        champion = replay.stored_seats(hall.tournament)
        assert champion == replay.resolved_seats(hall.tournament)
        assert all(state.result.winner is not None for state in champion.values())
        assert not ApiToken.objects.filter(revoked_at__isnull=True).exists()
        assert PersonalLink.objects.filter(revoked_at__isnull=True).count() == 8
        balances = {row["kind"]: row["balance"]["minor"] for row in account_balances(hall.tournament.event)}
        assert balances["pot"] == 0
        assert balances["registration"] == -80_00
        played = Result.objects.filter(pairing__round__bracket__tournament=doubles)
        assert set(played.values_list("confirmed_by", flat=True)) <= {"left", "right"}
