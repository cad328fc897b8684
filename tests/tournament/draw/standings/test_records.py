"""Records read from a draw."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.standings.tables import Rounds, any_rounds, table
from tournament.draw.graph import FromEntry, Graph, Pairing
from tournament.draw.seating import How, resolve
from tournament.draw.standings import Record, records_of

ROUNDS: Rounds = [
    ["ada 9-3 bo", "cy wo di", "ed bye"],
    ["ada bye", "bo no cy", "di 4-3 ed"],
    ["di won ada", "ed ? cy", "bo bye"],
]


def test_a_record_counts_what_was_played_and_what_was_not() -> None:
    records = table(ROUNDS).records
    ada, bo, cy, di, ed = (records[entry] for entry in ("ada", "bo", "cy", "di", "ed"))
    assert (ada.wins, ada.losses, ada.byes, ada.walkovers_won, ada.walkovers_lost) == (1, 1, 1, 0, 0)
    assert (bo.wins, bo.losses, bo.byes, bo.walkovers_won, bo.walkovers_lost) == (0, 1, 1, 0, 1)
    assert (cy.wins, cy.losses, cy.byes, cy.walkovers_won, cy.walkovers_lost) == (0, 0, 0, 1, 1)
    assert (di.wins, di.losses, di.byes, di.walkovers_won, di.walkovers_lost) == (2, 0, 0, 0, 1)
    assert (ed.wins, ed.losses, ed.byes, ed.walkovers_won, ed.walkovers_lost) == (0, 1, 1, 0, 0)
    assert [record.all_losses for record in (ada, bo, cy, di, ed)] == [1, 2, 1, 1, 1]


def test_points_beyond_the_length_of_the_match_are_raw_and_not_credited() -> None:
    records = table(ROUNDS).records
    ada, bo = records["ada"], records["bo"]
    assert (ada.points_for, ada.points_against, ada.credited_for, ada.credited_against) == (9, 3, 7, 3)
    assert (bo.points_for, bo.points_against, bo.credited_for, bo.credited_against) == (3, 9, 3, 7)


def test_points_are_credited_as_played_where_the_length_is_not_known() -> None:
    pairings, states, decisions, _ = table(ROUNDS)
    records = records_of(pairings, states, decisions)
    assert (records["ada"].credited_for, records["bo"].credited_against) == (9, 9)


def test_opponents_are_in_the_order_of_the_rounds_without_byes() -> None:
    records = table(ROUNDS).records
    assert records["bo"].opponents == ("ada", "cy")
    assert records["di"].opponents == ("cy", "ed", "ada")
    assert [meeting.how for meeting in records["bo"].meetings] == [How.PLAYED, How.NOBODY, How.BYE]


def test_an_open_match_counts_for_nothing_but_its_players_are_there() -> None:
    assert table([["ada ? bo"]]).records == {"ada": Record("ada"), "bo": Record("bo")}


def test_the_opponent_of_one_who_withdrew_has_won_a_walkover() -> None:
    pairing = Pairing("M", "main", 1, 1, FromEntry("ada"), FromEntry("bo"))
    states = resolve(Graph([pairing]), {}, withdrawn={"ada": 1}).states
    records = records_of([pairing], states, {})
    assert (records["bo"].walkovers_won, records["ada"].walkovers_lost) == (1, 1)


def test_a_decision_between_earlier_occupants_has_no_effect() -> None:
    pairings, states, _, notes = table([["ada ? bo"]])
    stale = table([["ada 7-0 cy"]]).decisions
    assert records_of(pairings, states, stale, notes)["ada"] == Record("ada")


@settings(max_examples=40)
@given(any_rounds(), st.randoms(use_true_random=False))
def test_the_order_of_the_pairings_does_not_matter(rounds: Rounds, chance: Random) -> None:
    whole = table(rounds)
    shuffled = whole._replace(pairings=chance.sample(whole.pairings, len(whole.pairings)))
    assert list(shuffled.records.items()) == list(whole.records.items())


@settings(max_examples=40)
@given(any_rounds())
def test_points_won_equal_points_lost(rounds: Rounds) -> None:
    records = table(rounds).records.values()
    assert sum(record.wins - record.losses for record in records) == 0
    assert sum(record.points_for - record.points_against for record in records) == 0
    assert sum(record.walkovers_won for record in records) <= sum(record.walkovers_lost for record in records)
    for record in records:
        matches_and_byes = record.wins + record.all_losses + record.byes + record.walkovers_won
        assert matches_and_byes == len(record.meetings)
