"""A player asks the desk to decide: with a note and photos, from the phone, at any time while the match is on."""

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournament.pages.cards.seat import Seat, Wrong, card_page, seated
from tournament.pages.cards.taps import tap
from tournament.results import disputes
from tournament.runtime.errors import Refused
from tournament.web.refusals import sentence_of
from tournament.web.uploads import MAX_FILE_BYTES

NO_PHOTO = gettext_lazy("Take or choose a photo first.")


class PhotoForm(forms.Form):
    """Whether it is a picture, and how large one may be, is said by `photos`."""

    photo = forms.FileField(
        allow_empty_file=True,
        max_length=None,
        error_messages=dict.fromkeys(("required", "missing", "invalid"), NO_PHOTO),
    )

    def clean_photo(self) -> "UploadedFile[bytes] | None":
        """What is larger than any photo was cut on its way in, so it is not even looked at."""
        file: UploadedFile[bytes] | None = self.cleaned_data["photo"]
        if file is not None and (file.size or 0) >= MAX_FILE_BYTES:
            raise forms.ValidationError(_("This photo is larger than 12 MB. Send a smaller one."))
        return file

    def brought(self) -> bytes:
        """The bytes, empty where there is no photo; only after `is_valid`."""
        file: UploadedFile[bytes] | None = self.cleaned_data["photo"]
        return file.read() if file else b""


class DisputeForm(PhotoForm):
    note = forms.CharField(
        max_length=500,
        required=False,
        error_messages={"max_length": gettext_lazy("The note is too long. Say it in fewer words.")},
    )
    photo = forms.FileField(required=False, allow_empty_file=True, max_length=None)


@tap(DisputeForm)
def my_dispute(seat: Seat, form: DisputeForm) -> HttpResponse:
    try:
        disputes.open_dispute(
            seat.pairing, seat.keeper, form.cleaned_data["note"], seat.actor, form.brought()
        )
    except Refused as refused:
        return _refused(seat, refused)
    messages.warning(seat.request, _("The desk was told."))
    return seat.back("#dispute")


@tap(PhotoForm)
def my_photo(seat: Seat, form: PhotoForm) -> HttpResponse:
    try:
        disputes.add_photo(seat.pairing, seat.keeper, form.brought(), seat.actor)
    except Refused as refused:
        return _refused(seat, refused)
    messages.success(seat.request, _("The photo is kept. The desk sees it."))
    return seat.back("#dispute")


@never_cache
@require_POST
@seated
def my_dispute_end(seat: Seat) -> HttpResponse:
    disputes.withdraw_dispute(seat.pairing, seat.keeper, seat.actor)
    messages.success(seat.request, _("You took it back. The desk was told."))
    return seat.back("#dispute")


def _refused(seat: Seat, refused: Refused) -> HttpResponse:
    """A picture that is none is the sender's to mend; what was typed stands in the form."""
    status = 422 if refused.code in ("not-a-picture", "picture-too-large", "pictures-wait") else 409
    return card_page(seat, wrong=Wrong(sentence_of(refused)), status=status)
