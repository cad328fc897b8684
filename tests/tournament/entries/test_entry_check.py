"""The check of new entries: one rule after the other, and the same for a form and for a list."""

from uuid import UUID

import pytest

from tests.tournament import stories
from tournament.entries import importing, registration
from tournament.entries.entry_check import EntryFacts, ProblemKind, find_problems
from tournament.entries.lists import read_list
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Player
from tournament.runtime.errors import Refused

ANNA, BO = UUID(int=1), UUID(int=2)
EXISTING = [
    EntryFacts("Anna Berg", "North", "W-1", 1, ANNA),
    EntryFacts("Bo Lind", "", "", None, BO),
    EntryFacts("Cy Elsewhere", "", "W-3", None, UUID(int=3), number=0),
]


@pytest.mark.parametrize(
    ("entry", "kinds"),
    [
        (EntryFacts("Dora", "South", "W-9", 2), []),
        (EntryFacts(" "), [ProblemKind.NO_NAME]),
        (EntryFacts("Dora", seed=1), [ProblemKind.SEED_TAKEN]),
        (EntryFacts("Dora", federation_id="W-1"), [ProblemKind.FEDERATION_ID_TAKEN]),
        (EntryFacts("Dora", federation_id="W-3"), [ProblemKind.FEDERATION_ID_TAKEN]),
        (EntryFacts("Cy Elsewhere", "", "W-3", None, UUID(int=3)), []),
        (EntryFacts("bo  lind"), [ProblemKind.SAME_NAME_ENTERED]),
        (EntryFacts("Bo Lind", "South"), []),
        (EntryFacts("Cy Elsewhere"), []),
        (EntryFacts("Bo Lind", player_id=BO), [ProblemKind.PLAYER_ENTERED]),
        (EntryFacts("Bo Lind", player_id=BO, number=2), []),
        (EntryFacts("Anna Berg", "North", "W-1", None, ANNA, number=2), []),
        (EntryFacts("", "", "W-1", 1), [ProblemKind.NO_NAME, ProblemKind.SEED_TAKEN, ProblemKind.FEDERATION_ID_TAKEN]),
    ],
)  # fmt: skip
def test_invalid_entries_break_the_expected_rules(entry, kinds):
    assert [problem.kind for problem in find_problems([entry], EXISTING)] == kinds


def test_new_entries_are_checked_against_each_other():
    new = [EntryFacts("Dora", seed=5), EntryFacts("Eva", seed=5), EntryFacts("dora")]
    problems = find_problems(new, EXISTING)
    assert [(problem.position, problem.kind) for problem in problems] == [
        (1, ProblemKind.SEED_TAKEN),
        (2, ProblemKind.SAME_NAME_ENTERED),
    ]
    assert problems[0].holder == new[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "details", "code", "trouble"),
    [
        ("Dora;;1", EntryDetails(PlayerDetails("Dora"), 1), "seed-taken", "seed-held"),
        ("Bo Lind;w-1;", EntryDetails(PlayerDetails("Bo Lind", federation_id="w-1")), "id-taken", "id-held"),
    ],
)
def test_lists_and_forms_follow_the_same_entry_rules(line, details, code, trouble):
    actor = stories.director()
    made = stories.tournament(actor)
    registration.enter(made.pk, EntryDetails(PlayerDetails("Anna Berg", federation_id="W-1"), 1), actor)
    # Two spellings of one number: neither is certain, so a list looks for the name.
    registration.enter(made.pk, EntryDetails(PlayerDetails("Cy", federation_id="w-1")), actor)
    with pytest.raises(Refused) as refused:
        registration.enter(made.pk, details, actor)
    assert refused.value.code == code
    listing = read_list(f"Name;WBGF;Seed\n{line}".encode())
    preview = importing.preview(made, listing)
    assert trouble in {item.code for item in preview.troubles}
    done = importing.apply(made.pk, listing, preview.digest, actor)
    assert done.added == 1
    assert Player.objects.filter(federation_id="").count() == 1
