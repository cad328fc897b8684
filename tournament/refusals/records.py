"""Refusals of uploaded game records."""

from django.utils.translation import gettext_noop

from matches.refusals import Refusal

RECORD_IS_EMPTY = Refusal(
    "record-is-empty", gettext_noop("This file is empty. Choose the file that your program saved.")
)
RECORD_TOO_LARGE = Refusal(
    "record-too-large",
    gettext_noop("This file is larger than 5 MB, so it was not saved. Choose a smaller one."),
)
RECORDS_WAITING = Refusal(
    "records-waiting",
    gettext_noop("{most} records of this match are still being checked. Try again in a minute."),
)
TOO_MANY_RECORDS = Refusal(
    "too-many-records",
    gettext_noop("This match already has {most} records, which is the limit. Ask the director."),
)
