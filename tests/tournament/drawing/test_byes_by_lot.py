"""Byes drawn by lot or spread evenly: what is played then is the format that was shown for so many entries."""

from random import Random

import pytest

from tests.tournament import stories
from tournament.brackets import storage
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import FromBye, FromPairing, Outcome
from tournament.draw.recipes import Byes, OrderRules, SeededLines
from tournament.drawing import draw_secret, draws, swaps
from tournament.drawing.draws import DrawPlan
from tournament.drawing.order import DrawRules
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Draw, Entry, Pairing, Result, Round, Tournament
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
BY_LOT = [Byes.LOTTERY, Byes.BALANCED_LOTTERY]


def drawn_by_lot(entries: int, byes: Byes, chosen: Format, seed: str = "seed"):
    actor = stories.director()
    made = stories.entered(actor, entries, format=chosen)
    draws.make(made.pk, DrawPlan(seed_text=seed, rules=OrderRules(byes=byes)), actor)
    return actor, made


@pytest.mark.parametrize("byes", BY_LOT)
def test_all_first_match_losers_enter_the_simple_consolation(byes):
    actor, made = drawn_by_lot(6, byes, Format(consolation="simple"))
    draws.release(made.pk, actor)
    stories.play_out(made, actor, Random(1))
    assert_first_match_decides_the_consolation(made)


def assert_first_match_decides_the_consolation(made: Tournament) -> None:
    """Players are in the consolation exactly if they lost their first match that was played."""
    lost = set()
    for entry in Entry.objects.filter(tournament=made):
        own = Result.objects.filter(pairing__round__bracket__key="main", left=entry)
        own |= Result.objects.filter(pairing__round__bracket__key="main", right=entry)
        if own.order_by("pairing__round__number").first().winner != entry:
            lost.add(entry.pk)
    beside = Pairing.objects.filter(round__bracket__key="consolation", round__bracket__tournament=made)
    assert {pk for pair in beside.values_list("left_id", "right_id") for pk in pair if pk} == lost


def move_a_bye(made: Tournament, actor, chance: Random) -> list[str]:
    """Swaps the first bye with players of the first round until one swap is accepted. Returns the refusals before."""
    seats = [seat for seat in entry_seats(made) if seat.bracket == "main" and seat.round == 1]
    bye = next(seat for seat in seats if seat.entry is None)
    others = [seat for seat in seats if seat.entry and seat.opponent and seat.pairing != bye.pairing]
    chance.shuffle(others)
    refusals = []
    for seat in others:
        try:
            swaps.swap(made.pk, Swap(bye.feed, seat.feed, (None, seat.entry)), actor, "a mistake")
        except Refused as refused:
            refusals.append(refused.code)
        else:
            return refusals
    raise AssertionError(f"no swap was accepted: {refusals}")


@pytest.mark.parametrize(("is_released", "seed"), [(False, 0), (True, 1)])
def test_a_second_chance_moves_with_a_bye_or_stays(is_released, seed):
    actor, chance = stories.director(), Random(seed)
    make = stories.released if is_released else stories.drawn
    made = make(actor, 6, format=Format(consolation="simple"))
    assert set(move_a_bye(made, actor, chance)) <= {"bye-decides-second-chance"}
    if not is_released:
        draws.release(made.pk, actor)
    stories.play_out(made, actor, chance)
    assert_first_match_decides_the_consolation(made)
    assert consistency.differences(made.event) == []


def test_a_late_entry_in_a_bye_ends_the_second_chance_in_the_next_round():
    actor = stories.director()
    made = stories.released(actor, 6, format=Format(consolation="simple"))
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    stories.play_out(made, actor, Random(1))
    assert_first_match_decides_the_consolation(made)
    assert consistency.differences(made.event) == []


@pytest.mark.parametrize("byes", BY_LOT)
def test_the_drawn_rounds_are_those_of_the_preview_and_byes_send_no_loser_down(byes):
    chosen = Format(consolation="progressive", last_chance="progressive")
    _, made = drawn_by_lot(9, byes, chosen)
    places = {(pairing.bracket, pairing.round, pairing.line) for pairing in layout(chosen, 9).graph}
    rows = Pairing.objects.filter(round__bracket__tournament=made)
    assert set(rows.values_list("round__bracket__key", "round__number", "line")) == places
    graph = storage.read(made).graph
    byes_drawn = {pairing.key for pairing in graph if FromBye() in (pairing.left, pairing.right)}
    sources = [source for pairing in graph for _, source in pairing.seats if isinstance(source, FromPairing)]
    assert not {source.pairing for source in sources if source.outcome is Outcome.LOSER} & byes_drawn


WITHOUT_A_SHEET = [
    Format(Kind.GROUPS, groups=4, qualifiers=1),
    Format(Kind.ROUND_ROBIN),
    Format(Kind.SWISS, rounds=3),
    Format(Kind.LIVES, lives=2),
]


def test_byes_and_lines_are_refused_where_the_format_has_no_sheet():
    actor = stories.director()
    made = stories.entered(actor, 9)
    two_rules = (OrderRules(byes=Byes.LOTTERY), OrderRules(seeded_lines=SeededLines.DRAWN))
    cases = [(chosen, rules) for chosen in WITHOUT_A_SHEET for rules in two_rules]
    for chosen, rules in cases:
        Tournament.objects.filter(pk=made.pk).update(format=chosen.as_json())
        with pytest.raises(Refused) as refused:
            draws.make(made.pk, DrawPlan(rules=rules), actor)
        assert refused.value.code == "no-sheet"
    draw_secret.commit_to_secret(made.pk, actor)
    for chosen, rules in cases:
        Tournament.objects.filter(pk=made.pk).update(format=chosen.as_json())
        with pytest.raises(Refused) as refused:
            draw_secret.close_entries(made.pk, DrawRules(rules=rules), actor)
        assert refused.value.code == "no-sheet"
    assert not Draw.objects.exists()
    assert not Round.objects.exists()


def test_a_format_without_a_sheet_is_refused_after_entries_were_closed_for_byes_by_lot():
    actor = stories.director()
    made = stories.entered(actor, 9)
    draw_secret.commit_to_secret(made.pk, actor)
    draw_secret.close_entries(made.pk, DrawRules(rules=OrderRules(byes=Byes.LOTTERY)), actor)
    groups = Format(Kind.GROUPS, groups=3, qualifiers=1)
    Tournament.objects.filter(pk=made.pk).update(format=groups.as_json())
    with pytest.raises(Refused):
        draws.make(made.pk, DrawPlan(public="31 52 66"), actor)
    assert not Draw.objects.exists()
