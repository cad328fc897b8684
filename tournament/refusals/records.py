"""Refusals of uploaded game records."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

RECORD_IS_EMPTY = Refusal(
    "record-is-empty", _("This file is empty. Choose the file that your program saved.")
)
RECORD_TOO_LARGE = Refusal(
    "record-too-large", _("This file is larger than 5 MB, so it was not saved. Choose a smaller one.")
)
RECORDS_WAITING = Refusal(
    "records-waiting", _("{most} records of this match are still being checked. Try again in a minute.")
)
TOO_MANY_RECORDS = Refusal(
    "too-many-records", _("This match already has {most} records, which is the limit. Ask the director.")
)
