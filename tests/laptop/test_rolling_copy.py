"""Rolling copies on a stick: consistent, limited in number, resumed when the stick returns."""

import itertools
import os
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from deploy import rolling_copy

ROWS = 400


class Laptop:
    """A data folder with a database, and a stick."""

    def __init__(self, folder: Path, name: str = "laptop") -> None:
        self.data = folder / name
        self.stick = folder / "stick"
        self.database = self.data / "director.sqlite3"
        self.data.mkdir()
        self.stick.mkdir(exist_ok=True)
        (self.data / "secret.key").write_text(f"the secret of {name}")
        (self.data / "media").mkdir()
        (self.data / "media" / "logo.svg").write_text("<svg/>")
        with closing(self.connect()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("CREATE TABLE result (number INTEGER)")
            connection.commit()

    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.database, timeout=20)

    def post(self, number: int) -> None:
        with closing(self.connect()) as connection:
            connection.execute("INSERT INTO result VALUES (?)", [number])
            connection.commit()

    def rolling(self) -> rolling_copy.RollingCopy:
        return rolling_copy.RollingCopy(self.database, self.data, self.stick)

    def copies(self) -> list[Path]:
        return sorted(self.stick.rglob("copy-*"))


def results(database: Path) -> list[int]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM result ORDER BY number")]


@pytest.fixture
def laptop(tmp_path) -> Laptop:
    return Laptop(tmp_path)


def test_a_copy_contains_results_key_and_pictures(laptop):
    laptop.post(7)
    copy = laptop.rolling().copy_if_changed()
    assert copy is not None
    assert results(copy / "director.sqlite3") == [7]
    assert (copy / "secret.key").read_text() == "the secret of laptop"
    assert (copy / "media" / "logo.svg").exists()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700


def test_nothing_is_copied_without_a_change(laptop):
    rolling = laptop.rolling()
    assert rolling.copy_if_changed()
    assert rolling.copy_if_changed() is None
    laptop.post(1)
    assert rolling.copy_if_changed()
    assert rolling.copy_if_changed() is None
    (laptop.data / "media" / "poster.svg").write_text("<svg/>")
    assert rolling.copy_if_changed()


def test_the_three_newest_copies_are_kept(laptop):
    rolling = laptop.rolling()
    for number in range(5):
        laptop.post(number)
        assert rolling.copy_if_changed()
    assert [results(copy / "director.sqlite3")[-1] for copy in laptop.copies()] == [2, 3, 4]


def test_copies_taken_during_writes_are_consistent(laptop):
    rolling, states = laptop.rolling(), []

    def post_until_copied_twice() -> None:
        for number in itertools.count():
            if number >= ROWS and len(states) > 1:
                break
            laptop.post(number)

    writer = threading.Thread(target=post_until_copied_twice, daemon=True)
    writer.start()
    while writer.is_alive():
        copy = rolling.copy_if_changed()
        if copy is not None:
            assert rolling_copy.is_sound(copy / "director.sqlite3")
            states.append(results(copy / "director.sqlite3"))
    writer.join()
    rolling.copy_if_changed()
    written = results(laptop.database)
    assert len(written) >= ROWS
    assert results(laptop.copies()[-1] / "director.sqlite3") == written
    assert all(state == list(range(len(state))) for state in states)


def test_a_removed_stick_is_logged_once_and_copying_resumes(laptop, capsys):
    rolling = laptop.rolling()
    rolling.copy_if_changed()
    shutil.rmtree(laptop.stick)
    for number in range(3):
        laptop.post(number)
        assert rolling.copy_if_changed() is None
    assert capsys.readouterr().err.count("No copy could be written") == 1
    assert not laptop.stick.exists()
    laptop.stick.mkdir()
    assert rolling.copy_if_changed()
    assert "is available again" in capsys.readouterr().err
    assert results(laptop.copies()[-1] / "director.sqlite3") == [0, 1, 2]


def test_the_empty_mount_point_of_a_stick_is_not_used(laptop):
    rolling = laptop.rolling()
    rolling.had_second_disk = True
    assert rolling.copy_if_changed() is None
    assert laptop.copies() == []


def test_an_incomplete_copy_is_not_opened_and_is_removed(laptop):
    laptop.post(1)
    rolling = laptop.rolling()
    home = rolling_copy.installation_folder(laptop.data, laptop.stick)
    (home / ".unfinished-00000009-x").mkdir(parents=True)
    rolling.copy_if_changed()
    assert [path.name for path in home.iterdir()] == [copy.name for copy in laptop.copies()]


def test_another_laptop_opens_the_newest_intact_copy(laptop, tmp_path):
    rolling = laptop.rolling()
    for number in range(2):
        laptop.post(number)
        rolling.copy_if_changed()
    os.truncate(laptop.copies()[-1] / "director.sqlite3", 5000)
    data = tmp_path / "other"
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "diary").write_text("of this laptop")
    copy = laptop.copies()[0]
    (copy / "media" / "diary").symlink_to(tmp_path / "own" / "diary")
    (copy / "own").symlink_to(tmp_path / "own")
    rolling_copy.open_copy(laptop.stick, data / "director.sqlite3", data)
    assert results(data / "director.sqlite3") == [0]
    assert not [path for path in data.rglob("*") if path.name in ("diary", "own")]
    assert stat.S_IMODE((data / "secret.key").stat().st_mode) == 0o600


def test_another_laptop_continues_the_numbering_of_copies(laptop, tmp_path):
    laptop.rolling().copy_if_changed()
    data = tmp_path / "other"
    rolling_copy.open_copy(laptop.stick, data / "director.sqlite3", data)
    later = laptop.copies()[0].with_name("copy-00000007-20991231T000000Z")
    laptop.copies()[0].rename(later)
    copy = rolling_copy.copy(data / "director.sqlite3", data, laptop.stick)
    assert copy.parent == later.parent
    assert laptop.copies()[-1] == copy


def test_an_existing_event_is_never_overwritten(laptop):
    laptop.rolling().copy_if_changed()
    laptop.post(1)
    with pytest.raises(rolling_copy.CannotOpen, match="which is kept"):
        rolling_copy.open_copy(laptop.stick, laptop.database, laptop.data)
    assert results(laptop.database) == [1]


def test_copies_of_two_installations_need_a_choice(laptop, tmp_path):
    second = Laptop(tmp_path, "second")
    laptop.rolling().copy_if_changed()
    second.post(5)
    second.rolling().copy_if_changed()
    data = tmp_path / "other"
    with pytest.raises(rolling_copy.CannotOpen, match="several installations"):
        rolling_copy.open_copy(laptop.stick, data / "director.sqlite3", data)
    rolling_copy.open_copy(
        rolling_copy.installation_folder(second.data, laptop.stick), data / "director.sqlite3", data
    )
    assert results(data / "director.sqlite3") == [5]


def test_a_folder_without_copies_gives_an_error(tmp_path):
    with pytest.raises(rolling_copy.CannotOpen, match="No complete copy"):
        rolling_copy.open_copy(tmp_path, tmp_path / "data" / "director.sqlite3", tmp_path / "data")
