"""Which edition of the pages this is: changes with any template, style or script, so that open pages know to reload."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def edition() -> str:
    whole = hashlib.sha256()
    for folder in (Path(settings.BASE_DIR) / "templates", *map(Path, settings.STATICFILES_DIRS)):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                whole.update(str(path.relative_to(folder)).encode())
                whole.update(path.read_bytes())
    return whole.hexdigest()[:12]
