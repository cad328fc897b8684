"""No case is left out of both runs of the tests."""

from pathlib import PurePath

from tests.house.tree import place, python_files
from tests.order import FIRST_RUN_ONLY, SECOND_RUN_ONLY

HALVES = "for_" + "this_database"


def test_a_file_of_one_run_has_all_cases():
    halved = [
        place(path)
        for path in python_files()
        if place(path).parts[0] == "tests" and HALVES in path.read_text() and _is_of_one_run(place(path))
    ]
    assert halved == []


def _is_of_one_run(path: PurePath) -> bool:
    return any(path.relative_to("tests").is_relative_to(only) for only in (*FIRST_RUN_ONLY, *SECOND_RUN_ONLY))
