"""A clock that somebody moves: a process started with this folder on PYTHONPATH adds to the time of day what stands in
the file WRONG_CLOCK. Timers that count seconds go on as they are, as they do when a real clock is set.
"""

import mmap
import os
import struct
import time
from datetime import UTC, datetime

from celery import Celery
from django.utils import timezone

_file = os.open(os.environ["WRONG_CLOCK"], os.O_RDONLY)
_moved = mmap.mmap(_file, 8, prot=mmap.PROT_READ)
_right_time = time.time


def _wrong_time() -> float:
    return _right_time() + float(struct.unpack("d", _moved)[0])


def _wrong_now(*_app: Celery) -> datetime:
    return datetime.fromtimestamp(_wrong_time(), UTC)


time.time = _wrong_time
timezone.now = _wrong_now
Celery.now = _wrong_now  # type: ignore[method-assign,assignment]
