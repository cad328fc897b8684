"""Refusals of photos and pictures."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

PICTURE_TOO_LARGE = Refusal(
    "picture-too-large", _("This picture is too large, even when compressed. Send another one.")
)
PICTURE_FILE_TOO_LARGE = Refusal(
    "picture-too-large", _("This picture is larger than 12 MB. Send a smaller one.")
)
PICTURE_HAS_TOO_MANY_PIXELS = Refusal(
    "picture-too-large", _("This picture has more than {most} million pixels. Send a smaller one.")
)
NOT_A_PICTURE = Refusal(
    "not-a-picture", _("This file is not a picture that can be read. Send a JPEG, PNG, WebP or GIF file.")
)
PICTURE_IS_HEIC = Refusal(
    "not-a-picture",
    _(
        "This server cannot read HEIC photos. Take the photo from this page, or choose “Most Compatible” in "
        "the camera's settings and take it again."
    ),
)
PICTURES_WAIT = Refusal(
    "pictures-wait", _("The server is busy with other pictures. Send this one again in a moment.")
)
PERMISSION_NEEDED = Refusal(
    "permission-needed",
    _("All visitors of the event see this picture. Ask the people in it first, then tick the box."),
)
