"""The urgency of matches, and the matches that each match waits for."""

from collections.abc import Mapping

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import Graph, Outcome
from tournament.draw.seating import Decision, Facts, resolve
from tournament.forecast.open_matches import MatchStatus, OpenMatch, Stage, open_matches
from tournament.forecast.urgency import planned_minutes, urgency

PAUSE = 5.0


def opened(
    graph: Graph, facts: Facts | None = None, overrides: Mapping | None = None
) -> dict[object, OpenMatch]:
    """The open matches of a drawn graph, all to 7 points by default."""
    facts = facts or Facts({})
    states = resolve(graph, *facts).states
    statuses = {match.key: MatchStatus(7) for match in graph} | dict(overrides or {})
    matches = open_matches("Open", graph, states, statuses, facts.withdrawn)
    return {match.key: match for match in matches}


def drawn(chosen: Format, entries: int) -> Graph:
    """A draw of entries 1, 2, 3 ... in order."""
    return layout(chosen, entries).graph


def of_round(matches: Mapping[object, OpenMatch], bracket: str, number: int) -> list[OpenMatch]:
    return [
        match for match in matches.values() if match.part.bracket == bracket and match.part.round == number
    ]


def test_the_first_round_of_eight_has_three_matches_and_two_pauses_before_the_end() -> None:
    minutes = urgency(opened(drawn(Format(), 8)).values(), PAUSE)
    assert sorted(minutes.values()) == [77.0, *[159.0] * 2, *[241.0] * 4]


def test_a_bye_is_not_awaited() -> None:
    matches = opened(drawn(Format(), 5))
    final, semifinals = of_round(matches, "main", 3), of_round(matches, "main", 2)
    assert sorted(len(match.after) for match in semifinals) == [0, 1]
    assert len(final[0].after) == 2
    assert len(matches) == 4


def test_a_withdrawn_opponent_counts_as_no_match() -> None:
    graph = drawn(Format(), 4)
    semifinal = next(iter(graph))
    entry = semifinal.left.entry
    matches = opened(graph, Facts({}, withdrawn={entry: 1.0}))
    assert [len(match.after) for match in matches.values()] == [0, 1]
    states = resolve(graph, {}, {}).states
    statuses = {match.key: MatchStatus(7) for match in graph}
    known_early = open_matches("Open", graph, states, statuses, {entry})
    assert [match.key for match in known_early] == list(matches)


def test_dropping_losers_are_awaited_in_the_lower_bracket() -> None:
    matches = opened(drawn(Format(consolation="progressive"), 8))
    first = of_round(matches, "main", 1)
    lower = [match for match in matches.values() if match.part.bracket != "main"]
    assert {key for match in lower for key in match.after} >= {match.key for match in first}


def test_a_second_final_counts_half() -> None:
    matches = opened(drawn(Format(kind=Kind.DOUBLE, reset=True), 4))
    assert sorted(match.chance for match in matches.values())[:2] == [0.5, 1.0]


def test_matches_of_a_group_player_follow_one_another() -> None:
    matches = opened(drawn(Format(kind=Kind.ROUND_ROBIN), 4))
    assert not any(match.after for match in matches.values())
    assert sorted(entry for match in of_round(matches, "main", 2) for entry in match.people) == [1, 2, 3, 4]
    minutes = urgency(matches.values(), PAUSE)
    rounds = [{minutes[match.key] for match in of_round(matches, "main", number)} for number in (1, 2, 3)]
    assert rounds == [{left * planned_minutes(7) + (left - 1) * PAUSE} for left in (3, 2, 1)]


def test_a_begun_later_group_match_goes_first() -> None:
    graph = drawn(Format(kind=Kind.ROUND_ROBIN), 4)
    last = [match for match in graph if match.round == 3]
    matches = opened(graph, overrides={last[0].key: MatchStatus(7, ready=0.0, began=3.0)})
    assert next(iter(matches)) == last[0].key
    assert matches[last[0].key].stage == Stage.PLAYING
    minutes = urgency(matches.values(), PAUSE)
    assert minutes[last[0].key] == max(minutes.values())


def test_winners_and_losers_are_awaited_in_the_next_match() -> None:
    matches = opened(drawn(Format(consolation="progressive"), 5))
    played, *others = of_round(matches, "main", 1)
    assert (others, len(played.people)) == ([], 2)
    by = {coming: match for match in matches.values() for coming in match.awaited}
    assert by[played.key, Outcome.WINNER].part == ("Open", "main", 2)
    assert len(by[played.key, Outcome.WINNER].people) == 1
    losers = [match for (key, outcome), match in by.items() if outcome == Outcome.LOSER and key == played.key]
    assert [match.part.bracket for match in losers] == ["consolation"]


def test_a_play_off_waits_for_all_of_its_group() -> None:
    matches = opened(drawn(Format(kind=Kind.GROUPS, groups=2, qualifiers=1), 6))
    final = of_round(matches, "play-off", 1)
    assert [len(match.after) for match in final] == [6]


def test_a_decided_match_delays_nothing() -> None:
    graph = drawn(Format(), 4)
    decided, undecided = (pairing for pairing in graph if pairing.round == 1)
    decisions = {decided.key: Decision(decided.left.entry, decided.right.entry)}
    matches = opened(graph, Facts(decisions))
    assert decided.key not in matches
    assert of_round(matches, "main", 2)[0].after == (undecided.key,)
