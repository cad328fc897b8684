"""A player brings the record of their match from the phone. What came of it stands on the card's page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournament import records
from tournament.pages.card_forms import first_error
from tournament.pages.card_seat import Seat, Wrong, card_page, seated
from tournament.pages.uploads import RecordForm


@never_cache
@require_POST
@seated
def my_record(seat: Seat) -> HttpResponse:
    form = RecordForm(seat.request.POST, seat.request.FILES)
    if not form.is_valid():
        return card_page(seat, wrong=Wrong(first_error(form)), status=422)
    _record, is_new = records.bring(seat.pairing, seat.keeper, *form.brought(), seat.actor)
    messages.success(seat.request, kept_message(is_new=is_new))
    return redirect(f"{reverse('my-match', args=[seat.match_id])}#records")


def kept_message(*, is_new: bool) -> str:
    if is_new:
        return _("The record is kept. Its verdict appears below in a moment.")
    return _("This very file is here already. Nothing was changed.")
