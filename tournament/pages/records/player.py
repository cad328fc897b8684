"""A player brings the record of their match from the phone. What came of it stands on the card's page."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from tournament.pages.cards.seat import Seat
from tournament.pages.cards.taps import tap
from tournament.records import checking
from tournament.web.uploads import GameRecordForm


@tap(GameRecordForm)
def my_record(seat: Seat, form: GameRecordForm) -> HttpResponse:
    _record, is_new = checking.upload(seat.pairing, seat.keeper, *form.uploaded_file(), seat.actor)
    messages.success(seat.request, kept_message(is_new=is_new))
    return seat.back("#records")


def kept_message(*, is_new: bool) -> str:
    if is_new:
        return _("The record is kept. Its verdict appears below in a moment.")
    return _("This very file is here already. Nothing was changed.")
