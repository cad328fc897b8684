"""The secret key that an installation creates: shared by its processes, readable by its owner only."""

import fcntl
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy.environment import secret_key


@pytest.fixture(autouse=True)
def _no_key_in_environment(monkeypatch):
    monkeypatch.delenv("DJANGO_SECRET_KEY", raising=False)


def test_processes_that_start_together_use_one_key(tmp_path):
    path = tmp_path / "secret.key"
    with ThreadPoolExecutor(4) as threads, path.open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        futures = [threads.submit(secret_key, tmp_path) for _ in range(4)]
        first.write("key-of-the-first")
        first.close()
        assert {future.result() for future in futures} == {"key-of-the-first"}
    assert secret_key(tmp_path) == "key-of-the-first"


def test_the_first_start_creates_the_key_and_later_starts_read_it(tmp_path):
    key = secret_key(tmp_path / "new")
    assert len(key) > 50
    assert secret_key(tmp_path / "new") == key
    assert stat.S_IMODE((tmp_path / "new" / "secret.key").stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_created_gives_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="Set DATA_DIR to a writable folder"):
        secret_key(tmp_path / "file" / "data")
