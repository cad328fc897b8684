"""The top level of the project, lock files with hashes, and no names of machines in files."""

import re

from tests.house.tree import ROOT, files, place

TOP_LEVEL = {
    "manage.py", "pyproject.toml", "tournament", "matches", "rules", "templates", "tests", "deploy", "docs",
    "README.md", "SECURITY.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", ".ci", ".gitignore",
    ".gitattributes", ".dockerignore",
}  # fmt: skip
REQUIRED = TOP_LEVEL - {".gitattributes", ".dockerignore"}
LOCKS = ROOT / "deploy" / "requirements"
HOSTS = ("py" + "pi.org", "files.python" + "hosted", "registry.npm" + "js")
HOMES = tuple("/" + name + "/" for name in ("home", "root", "Users", "work"))
TRACES = re.compile("|".join(re.escape(trace) for trace in (*HOSTS, *HOMES)))


def test_the_top_level_contains_the_listed_files():
    names = {place(path).parts[0] for path in files()}
    assert names <= TOP_LEVEL
    assert names >= REQUIRED


def test_locks_pin_every_package_with_hashes_and_name_no_host():
    for name in ("run.txt", "test.txt"):
        lock = (LOCKS / name).read_text()
        assert "://" not in lock
        pins = [line for line in lock.splitlines() if re.match(r"^[a-z0-9]", line)]
        assert pins
        assert all(re.match(r"^[a-z0-9._-]+(\[[a-z,]+\])?==\S+", line) for line in pins)
        assert lock.count("--hash=sha256:") >= len(pins)


def test_locks_contain_the_requirements():
    for name in ("run", "test"):
        lock = (LOCKS / f"{name}.txt").read_text()
        requirements = [
            line for line in (LOCKS / f"{name}.in").read_text().splitlines() if line and line[0].isalnum()
        ]
        names = [re.split(r"[\[<>=;\s]", line)[0] for line in requirements]
        assert [package for package in names if f"\n{package}==" not in f"\n{lock}"] == []


def test_the_test_lock_pins_the_same_versions_as_the_run_lock():
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^([a-z0-9._-]+==[^\s\\;]+)", (LOCKS / name).read_text(), re.M))

    assert pins("run.txt") <= pins("test.txt")


def test_no_file_names_a_machine_or_a_registry():
    traces = []
    for path in files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        traces += [f"{place(path)}: {hit.group()}" for hit in TRACES.finditer(text)]
    assert traces == []
