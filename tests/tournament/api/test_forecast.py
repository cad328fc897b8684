"""Forecasts with hypothetical lengths over the API: the valid rounds and both ends."""

import pytest

from tournament.models import Round
from tournament.web.one_at_a_time import Work, one_at_a_time

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
HERE = "/events/friday-night/forecast/what-if/"


@pytest.mark.usefixtures("hall")
def test_a_forecast_with_a_shorter_final_changes_nothing(at_desk):
    forecast = at_desk.get(HERE).json()
    assert (forecast["tables"], forecast["pause"]) == (None, 5)
    final = {**forecast["rounds"][-1], "length": 9}
    assert (final["name"], final["bracket"], final["and_later"]) == ("Final", "main", False)
    lengths = [{name: final[name] for name in ("tournament", "bracket", "round", "length")}]
    (event,) = at_desk.post(HERE, {"lengths": lengths}).json()["compared"]
    assert event["name"] == ""
    assert event["later"] >= 45 > event["earlier"] == 0
    assert event["now"]["late"] < event["then"]["late"]
    (fewer,) = at_desk.post(HERE, {"tables": 1, "pause": 40}).json()["compared"]
    assert fewer["later"] > 0
    (same,) = at_desk.post(HERE, {}).json()["compared"]
    assert same["now"] == same["then"]
    assert set(Round.objects.values_list("length", flat=True)) == {3}


@pytest.mark.usefixtures("hall")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"tables": 0}, 400),
        ({"pause": None}, 400),
        ({"lengths": [{"tournament": "open", "bracket": "main", "round": 2, "length": 100}]}, 400),
        ({"lengths": [{"tournament": "open", "bracket": "main", "round": 9, "length": 5}]}, 409),
        (
            {
                "lengths": [
                    {"tournament": "open", "bracket": "main", "round": 2, "length": length}
                    for length in (3, 5)
                ]
            },
            409,
        ),
        ({"lengths": {"main": 5}}, 400),
    ],
)
def test_what_cannot_be_thought_of_is_a_problem_with_a_sentence(at_desk, body, status):
    answer = at_desk.post(HERE, body)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_a_second_what_if_at_the_same_time_is_refused(at_desk, hall):
    with one_at_a_time(hall.desk, Work.WHAT_IF):
        answer = at_desk.post(HERE, {})
    assert (answer.status_code, answer.json()["code"]) == (409, "still-under-way")
