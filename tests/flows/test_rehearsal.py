"""A rehearsal plays an event to its end over HTTP, with everything that people do."""

from tests.flows import replay
from tests.flows.hall import open_hall
from tests.flows.waiting import until_all_advanced
from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.models import ApiToken, PersonalLink, Tournament
from tournament.showing.overview import Step, tournament_overview


def test_a_rehearsal_plays_the_event_out_and_says_what_happened(stage):
    hall = open_hall(stage, entries=32, length=5)
    said = stage.manage(
        "rehearse", hall.tournament.event.slug, "--url", stage.url, "--speed", "0", "--seed", "3"
    )
    print(said)
    assert "31 matches" in said
    assert "confirmed by the opponent" in said
    assert "refused:" in said
    with stage.database():
        until_all_advanced(stage)
        champion = replay.stored(hall.tournament)
        assert champion == replay.resolved(hall.tournament)
        assert all(state.result.winner is not None for state in champion.values())
        assert not ApiToken.objects.filter(revoked_at__isnull=True).exists()
        assert PersonalLink.objects.filter(revoked_at__isnull=True).count() == 32


def test_a_rehearsal_plays_every_bracket_and_pairs_every_round(stage):
    formats = (Format(consolation="progressive"), Format(Kind.SWISS, rounds=2))
    with stage.database():
        director = stories.director()
        played = [stories.released(director, 6, lengths=(1,), format=one) for one in formats]
        event = played[0].event
        Tournament.objects.filter(pk=played[1].pk).update(event=event, slug="swiss")
    stage.manage("rehearse", event.slug, "--url", stage.url, "--speed", "0", "--seed", "3")
    with stage.database():
        until_all_advanced(stage)
        assert [tournament_overview(made).step for made in played] == [Step.OVER, Step.OVER]
        assert played[1].brackets.get().rounds.count() == 2
