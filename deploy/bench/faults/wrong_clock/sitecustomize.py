"""Shifts the time of day of a Python process that starts with this folder on PYTHONPATH.

The file WRONG_CLOCK holds the offset in seconds. Monotonic timers stay right, as they do when a real clock is set.
"""

import mmap
import os
import struct
import time
from datetime import UTC, datetime

from celery import Celery
from django.utils import timezone

_file = os.open(os.environ["WRONG_CLOCK"], os.O_RDONLY)
_offset = mmap.mmap(_file, 8, prot=mmap.PROT_READ)
_right_time = time.time


def _wrong_time() -> float:
    return _right_time() + float(struct.unpack("d", _offset)[0])


def _wrong_now(*_app: Celery) -> datetime:
    return datetime.fromtimestamp(_wrong_time(), UTC)


time.time = _wrong_time
timezone.now = _wrong_now
Celery.now = _wrong_now  # type: ignore[method-assign,assignment]
