"""Payment references and their check digits."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.fees.references import (
    find_references,
    in_groups,
    is_of_event,
    is_reference,
    reference_of,
)

EVENT, PLAYER = uuid.UUID(int=1), uuid.UUID(int=2)


@pytest.mark.parametrize("reference", ["RF18539007547034", "RF471234567890", "RF712348231"])
def test_published_references_are_valid(reference):
    assert is_reference(reference)


@given(st.uuids(), st.uuids())
def test_every_wrong_digit_and_every_exchange_of_two_digits_is_detected(event, player):
    reference = reference_of(event, player)
    assert len(reference) <= 25
    assert is_reference(reference)
    assert is_of_event(reference, event)
    digits = range(2, len(reference))
    wrong = {reference[:at] + digit + reference[at + 1 :] for at in digits for digit in "0123456789"}
    for left in digits:
        for right in range(left + 1, len(reference)):
            exchanged = list(reference)
            exchanged[left], exchanged[right] = exchanged[right], exchanged[left]
            wrong.add("".join(exchanged))
    assert not any(map(is_reference, wrong - {reference}))


def test_a_reference_is_found_in_the_text_of_a_bank_however_it_is_grouped():
    reference = reference_of(EVENT, PLAYER)
    texts = (
        reference,
        in_groups(reference).lower(),
        f"/{reference[:10]}\n{reference[10:]}/ ANA",
        f"X{reference}9",
    )
    for text in texts:
        assert list(find_references(f"SEPA {text} THANKS")) == [reference]
    assert list(find_references("RF00 " + reference[4:])) == []
