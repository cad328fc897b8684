"""What the page of a public draw shows: its two hashes as a QR code, and free text as everybody may read it."""

from django import template
from django.utils.translation import gettext

from tournament.drawing.order import NOT_PUBLISHED, published_text
from tournament.models import Event, Tournament
from tournament.web.qr_codes import qr_picture

register = template.Library()


@register.simple_tag
def hashes_qr(tournament: Tournament, secret_hash: str, entries_hash: str) -> str:
    """A picture of the hashes as text: it needs no address, and a phone can keep it."""
    return qr_picture(f"{tournament.name}\nsecret {secret_hash}\nentries {entries_hash}")


@register.filter
def public_text(text: str, event: Event) -> str:
    shown = published_text(event, text)
    return gettext(NOT_PUBLISHED) if shown == NOT_PUBLISHED else shown
