"""The files of the project: those that git tracks or would track."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("rules", "matches", "tournament", "deploy")


@cache
def files() -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return tuple(
        path for path in (ROOT / name for name in listed.stdout.split("\n") if name) if path.is_file()
    )


@cache
def python_files(*, product_only: bool = False) -> tuple[Path, ...]:
    paths = [path for path in files() if path.suffix == ".py" and "migrations" not in path.parts]
    return tuple(path for path in paths if not product_only or place(path).parts[0] in PRODUCT)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def place(path: Path) -> Path:
    return path.relative_to(ROOT)


def module(path: Path) -> str:
    return ".".join(place(path).with_suffix("").parts).removesuffix(".__init__")
