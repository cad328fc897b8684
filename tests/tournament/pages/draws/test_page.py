"""The draw page in every format: layout, rules of the draw, seeds by rating, paired rounds with their reasons."""

from decimal import Decimal

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.recipes import Separate
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Draw, Entry, Pairing, Round, Tournament
from tournament.queries.draws.preview import draw_preview

pytestmark = pytest.mark.django_db
SWISS = Format(kind=Kind.SWISS, rounds=3)


def page(browser: Browser, made: Tournament) -> Browser:
    return browser.open("draw", *at(made))


def rated(owner, *ratings: int | None) -> Tournament:
    made = stories.tournament(owner)
    for number, rating in enumerate(ratings, start=1):
        details = PlayerDetails(f"Player {number}", rating=None if rating is None else Decimal(rating))
        registration.enter(made.pk, EntryDetails(details), owner)
    return made


@pytest.mark.parametrize("key", ["weekend", "lives", "groups"])
def test_a_preset_is_previewed_and_drawn(browser, owner, key):
    made = stories.entered(owner, 9, format=FORMAT_PRESETS[key].format)
    assert page(browser, made).status == 200
    assert browser.says("Preview of the draw")
    browser.press("Draw")
    assert browser.says("The draw is made.")
    assert browser.has_button("Release the draw")


def test_the_layout_is_checked_and_drawn(browser, owner):
    page(browser, stories.entered(owner, 16, format=Format(consolation="progressive")))
    assert browser.says("Rematches are possible from round")
    assert browser.says("Nobody has two byes.")
    assert browser.says("loser A1")
    assert browser.text.count("<svg") == 2


def test_a_swiss_with_more_rounds_than_opponents_warns_before_the_draw(browser, owner):
    warning = "After 3 rounds everybody has met everybody."
    made = stories.entered(owner, 4, format=Format(kind=Kind.SWISS, rounds=4))
    for address in ("draw", "tournament-edit"):
        assert browser.open(address, *at(made)).says(warning)
    registration.enter(made.pk, EntryDetails(PlayerDetails("Late Comer")), owner)
    assert not page(browser, made).says(warning)


def test_a_round_without_a_match_is_not_listed(browser, owner):
    made = stories.entered(owner, 8, format=Format(consolation="A.B.C.|"))
    listed = [(stage.bracket, stage.name, stage.matches) for stage in draw_preview(made).rounds]
    assert all(matches for _, _, matches in listed)
    assert not page(browser, made).says("Consolation · Round 1")


def test_a_length_changed_on_the_draw_page_is_that_of_all_groups(browser, owner):
    made = stories.drawn(owner, 11, lengths=(5,), format=Format(kind=Kind.GROUPS, groups=4, qualifiers=1))
    page(browser, made)
    assert browser.says("Groups · Round 1")
    first, second, *_ = Round.objects.filter(bracket__tournament=made, bracket__key="group 1")
    browser.press("Save lengths", **{f"round-{first.pk}-length": 3, f"round-{second.pk}-length": 7})
    assert browser.says("2 rounds changed.")
    rows = Round.objects.filter(bracket__tournament=made, bracket__key__startswith="group ")
    assert set(rows.filter(number=1).values_list("length", flat=True)) == {3}
    assert set(rows.filter(number=2).values_list("length", flat=True)) == {7}
    assert set(rows.exclude(number__in=(1, 2)).values_list("length", flat=True)) == {5}


def test_a_length_of_groups_stays_once_a_match_in_one_of_them_has_begun(browser, owner):
    made = stories.released(owner, 8, lengths=(5,), format=Format(kind=Kind.GROUPS, groups=2, qualifiers=1))
    first_round = Round.objects.get(bracket__tournament=made, bracket__key="group 1", number=1)
    stories.begin(stories.pairings(made).filter(round__bracket__key="group 2", round__number=1).first())
    browser.client.post(
        reverse("draw", args=at(made)),
        {
            "do": "lengths",
            f"round-{first_round.pk}-round": first_round.pk,
            f"round-{first_round.pk}-length": 3,
        },
    )
    rows = Round.objects.filter(bracket__tournament=made)
    assert set(rows.values_list("length", flat=True)) == {5}


def test_a_format_that_cannot_be_drawn_gives_the_reason_and_links_to_the_settings(browser, owner):
    made = stories.entered(owner, 8, format=Format(consolation="A.B.C.D"))
    assert page(browser, made).says("Nobody can drop from a round D here.")
    browser.press("Draw")
    assert browser.status == 422
    assert not Draw.objects.exists()


def test_byes_by_hand_need_a_reason_and_go_to_the_chosen_entries(browser, owner):
    made = stories.entered(owner, 3)
    last = Entry.objects.order_by("-entered_at").first()
    page(browser, made).press("Draw", byes="by_hand", by_hand=str(last.pk))
    assert browser.says("Enter a reason for these byes.")
    browser.press("Draw", byes="by_hand", by_hand=str(last.pk), byes_reason="Comes late from the airport")
    bye = Pairing.objects.get(settled="bye")
    assert bye.winner_id == last.pk
    assert Draw.objects.get().rules["byes_reason"] == "Comes late from the airport"


def in_two_teams(made: Tournament) -> None:
    for number, entry in enumerate(made.entries.order_by("entered_at").select_related("player")):
        entry.player.team = "Red" if number < 2 else "Blue"
        entry.player.save()


def meet_only_other_teams(made: Tournament) -> bool:
    first = stories.pairings(made).filter(round__number=1)
    return all(pairing.left.player.team != pairing.right.player.team for pairing in first)


def test_players_of_one_team_are_kept_apart_when_asked(browser, owner):
    made = stories.entered(owner, 4)
    in_two_teams(made)
    page(browser, made).press("Draw", separate="team", protected_rounds=2, seeded_lines="drawn")
    rules = Draw.objects.get().rules
    stored = (rules["separate"], rules["protected_rounds"], rules["seeded_lines"])
    assert stored == (Separate.TEAM, 2, "drawn")
    assert meet_only_other_teams(made)
    swiss = stories.entered(owner, 4, format=Format(kind=Kind.SWISS, rounds=3, separate=Separate.TEAM))
    in_two_teams(swiss)
    draws.make(swiss.pk, draws.DrawPlan(seed_text="any"), owner)
    assert meet_only_other_teams(swiss)
    basis = Round.objects.get(bracket__tournament=swiss).basis.document
    assert {contender["team"] for contender in basis["contenders"]} == {"Red", "Blue"}


def test_seeding_by_rating_replaces_all_seeds_but_not_for_more_than_have_ratings(browser, owner):
    made = rated(owner, 1500, None, 1800, 1650)
    Entry.objects.filter(player__name="Player 2").update(seed=1)
    page(browser, made).press("Seed", how_many=4)
    assert browser.status == 422
    assert browser.says("Seed no more than that.")
    assert Entry.objects.get(seed=1).player.name == "Player 2"
    browser.press("Seed", how_many=2)
    assert browser.says("2 entries are seeded.")
    seeds = dict(Entry.objects.values_list("player__name", "seed"))
    assert seeds == {"Player 1": None, "Player 2": None, "Player 3": 1, "Player 4": 2}


def test_the_next_round_waits_for_every_result_and_is_then_paired(browser, owner):
    made = stories.released(owner, 5, format=SWISS)
    page(browser, made)
    assert browser.says("Round 1 of 3")
    assert browser.says("Round 1 has 2 matches without a result.")
    assert not browser.has_button("round 2")
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    page(browser, made).press("Pair and release round 2")
    assert browser.says("Round 2 of 3")
    assert browser.says("they have not met")
    assert browser.says("no bye before")
    assert browser.says("0–0, 1 bye")
    assert Round.objects.count() == 2


def test_a_round_is_taken_back_with_a_reason_until_it_is_played(browser, owner):
    made = stories.tournament(owner)
    stories.play_a_round(made, owner)
    page(browser, made).press("Pair and release round 2")
    browser.open("next-round", *at(made)).press("Undo the release")
    assert browser.says("needs a reason")
    browser.press("Undo the release", **{"undo-reason": "A result was wrong"})
    assert Round.objects.count() == 1
    browser.press("Release round 2")
    stories.play(stories.playable(made)[0], owner)
    assert not browser.open("next-round", *at(made)).has_button("Undo the release")


def test_free_players_of_an_event_with_lives_are_paired_while_others_play(browser, owner):
    made = stories.released(owner, 8, format=Format(kind=Kind.LIVES, lives=3))
    for pairing in stories.playable(made)[:3]:
        stories.play(pairing, owner)
    page(browser, made).press("Pair free players")
    assert Round.objects.count() == 2


def test_the_desk_sees_the_reason_but_cannot_pair(hall, at_desk, owner):
    draws.undo(hall.tournament.pk, hall.owner, "Swiss after all")
    stories.play_a_round(hall.tournament, hall.owner)
    page(at_desk, hall.tournament)
    assert at_desk.says("Round 1 of 3")
    assert not at_desk.has_button("round 2")
    for action in ("pair-free", "seed", "commit", "close", "dice", "give-up"):
        assert at_desk.client.post(at_desk.path, {"do": action}).status_code == 403
