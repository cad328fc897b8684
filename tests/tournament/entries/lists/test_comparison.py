"""A listing compared with any players: every line has one effect, and no player matches two lines."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tournament.entries.lists import Line, Listing, Severity
from tournament.entries.lists.comparison import ENTRY_FIELDS, PLAYER_FIELDS, Preview, compare
from tournament.entries.lists.matching import ExistingPlayer
from tournament.entries.lists.repeats import drop_repeats

NAMES = st.sampled_from(["Anna", "ANNA", "Bo", "Cy"])
CLUBS = st.sampled_from(["", "North", "South"])
NUMBERS = st.sampled_from(["", "W-1", "W-2", "w-2"])
SEEDS = st.sampled_from([None, 1, 2, 3])

lines = st.lists(
    st.builds(Line, number=st.just(0), name=NAMES, club=CLUBS, federation_id=NUMBERS, seed=SEEDS), max_size=6
)


@st.composite
def listings(draw: st.DrawFn) -> Listing:
    numbered = (
        Line(number=at, name=line.name, club=line.club, federation_id=line.federation_id, seed=line.seed)
        for at, line in enumerate(draw(lines), start=1)
    )
    rows, troubles = drop_repeats(numbered)
    return Listing({}, tuple(rows), tuple(troubles))


@st.composite
def events(draw: st.DrawFn) -> list[ExistingPlayer]:
    """Players as the database allows: a federation number once, a seed once."""
    count = draw(st.integers(0, 5))
    numbers = draw(st.permutations(["W-1", "W-2", "", "", ""]))
    seeds = draw(st.permutations([1, 2, 3, None, None]))
    players = []
    for at in range(count):
        entry = UUID(int=100 + at) if draw(st.booleans()) else None
        seed = seeds[at] if entry else None
        players.append(
            ExistingPlayer(
                UUID(int=at), entry, draw(NAMES), club=draw(CLUBS), federation_id=numbers[at], seed=seed
            )
        )
    return players


def imported(plan: Preview, existing: list[ExistingPlayer]) -> list[ExistingPlayer]:
    """The players after the plan is applied."""
    players = {player.player_id: player for player in existing}
    for at, item in enumerate((*plan.added, *plan.changed), start=1):
        before = item.player or ExistingPlayer(UUID(int=1_000 + at), None, item.line.name)
        fields = {field: getattr(before, field) for field in (*PLAYER_FIELDS, *ENTRY_FIELDS)}
        imported_fields = {field: getattr(item.line, field) for field in fields}
        fields |= {field: value for field, value in imported_fields.items() if value not in ("", None)}
        entry = before.entry_id or UUID(int=2_000 + at)
        players[before.player_id] = ExistingPlayer(before.player_id, entry, **fields)
    return list(players.values())


@given(listings(), events())
def test_every_line_has_one_effect_and_no_player_matches_two_lines(listing, existing):
    plan = compare(listing, existing)
    planned = [*plan.added, *plan.changed, *plan.unchanged]
    new = [trouble for trouble in plan.troubles if trouble not in listing.problems]
    refused = {trouble.line or 0 for trouble in new if trouble.severity is Severity.ERROR}
    assert sorted([item.line.number for item in planned] + list(refused)) == [
        line.number for line in listing.rows
    ]
    met = [item.player_id for item in planned if item.player_id]
    assert len(met) == len(set(met))


@given(listings(), events())
def test_an_import_repeats_no_seed_and_no_federation_number(listing, existing):
    after = imported(compare(listing, existing), existing)
    seeds = [player.seed for player in after if player.seed]
    numbers = [player.federation_id for player in after if player.federation_id]
    assert len(seeds) == len(set(seeds))
    assert len(numbers) == len(set(numbers))


@given(listings(), events())
def test_comparing_with_the_same_players_gives_the_same_plan(listing, existing):
    assert compare(listing, existing) == compare(listing, list(reversed(existing)))
