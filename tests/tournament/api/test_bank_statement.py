"""A bank statement over the API: proposals, confirmed payments that are recorded once, and remembered columns."""

import pytest

from tests.tournament.api.openapi import problem_of
from tournament.fees.references import reference_of
from tournament.models import LedgerTransaction, Organizer
from tournament.queries.money.book_check import differences_in_books

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
FEES = {"currency": "EUR", "entry": {"price": 20_00}}


@pytest.fixture
def here(directing, hall) -> str:
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    return f"/events/{hall.tournament.event.slug}/bank-statement/"


def payments() -> int:
    return LedgerTransaction.objects.filter(deed="payment").count()


def test_proposals_are_recorded_once_and_never_for_a_player_of_another_event(directing, here, hall):
    event, player = hall.tournament.event, hall.pairing.left.player
    reference = reference_of(event.pk, player.pk)
    text = f"Tag;Wer;Was;Summe\n20.11.;Uncle;{reference};20,00\n21.11.;Aunt;fee;3,00\n1;x;y;z"
    columns = {"date": 0, "name": 1, "text": 2, "amount": 3}
    assert directing.post(here, {"text": text}).json()["proposals"] == []
    shown = directing.post(here, {"text": text, "columns": columns}).json()
    assert (shown["decimal_sign"], shown["currency"], shown["unreadable"]) == (",", "EUR", [4])
    uncle, aunt = shown["proposals"]
    assert (uncle["player"], uncle["is_exact"], aunt["player"]) == (str(player.pk), True, None)
    confirmed = {"text": text, "columns": columns, "decimal_sign": ",", "currency": "EUR"}

    def record(*rows):
        return directing.put(
            here, {**confirmed, "payments": [{"key": key, "player": pk} for key, pk in rows]}
        )

    strange = (aunt["key"], hall.tournament.pk)
    assert problem_of(record((uncle["key"], player.pk), strange)) == (404, "not-found")
    assert problem_of(record((uncle["key"], player.pk), (uncle["key"], player.pk))) == (400, "invalid")
    assert payments() == 0
    assert record((uncle["key"], player.pk), (hall.tournament.pk, player.pk)).json() == {"recorded": 1}
    other = hall.pairing.right.player_id
    assert record((uncle["key"], other)).json() == {"recorded": 0}
    remaining = directing.post(here, {"text": text}).json()
    assert (remaining["columns"]["amount"], [row["key"] for row in remaining["proposals"]]) == (
        3,
        [aunt["key"]],
    )
    assert payments() == 1
    assert differences_in_books(event) == []


def test_a_file_is_decoded_and_one_that_is_no_statement_is_refused(owning, here):
    file = "Date;Payer;Details;Amount\n1;Łukasz;fee;3,00".encode("utf-16")
    shown = owning.upload("POST", here, file).json()
    assert (shown["text"].count("Łukasz"), shown["proposals"][0]["payer"]) == (1, "Łukasz")
    for data, code in (
        (b"a;b\n" * 300_000, "statement-too-large"),
        (b"\x00\x01\x02" * 500, "statement-unreadable"),
        (b"a;b\n" * 2_100, "statement-too-long"),
    ):
        assert problem_of(owning.upload("POST", here, data)) == (409, code)
    assert problem_of(owning.post(here, {"text": "x" * 200_000}))[1] == "statement-unreadable"
    assert owning.post(here).json()["proposals"] == []


def test_a_statement_with_a_character_that_no_database_stores_is_read_without_it(directing, here, hall):
    file = "Da\0te;Payer;Details;Amo\0unt\n1;An\0n;fee;3,00".encode("utf-8-sig") + b" " * 300
    shown = directing.upload("POST", here, file).json()
    assert (shown["headings"], shown["proposals"][0]["payer"]) == (
        ["Date", "Payer", "Details", "Amount"],
        "Ann",
    )
    (key, player) = shown["proposals"][0]["key"], hall.pairing.left.player_id
    text, payment = shown["text"], {"key": key, "player": player}
    assert directing.put(here, {"text": text, "payments": [payment]}).json() == {"recorded": 1}
    again = directing.upload("PUT", here, file)
    assert again.status_code in (200, 400)


def test_a_statement_without_headings_loses_no_payment_and_no_name_of_a_payer_is_stored(
    directing, here, hall
):
    rows = {"text": "20.11.;Erika;fee;20,00\n21.11.;Max;fee;3,00 EUR"}
    rows["columns"] = {"date": 0, "name": 1, "text": 2, "amount": 3}
    shown = directing.post(here, rows).json()
    assert [row["payer"] for row in shown["proposals"]] == ["Erika", "Max"]
    payment = {"key": shown["proposals"][0]["key"], "player": hall.pairing.left.player_id}
    assert directing.put(here, {**rows, "payments": [payment]}).json() == {"recorded": 1}
    assert Organizer.objects.get().statement_columns == {}
