"""Template tags of the page of a public draw: its two hashes as a QR code, and the public form of free text."""

from django import template
from django.utils.translation import gettext

from tournament.drawing.order import NOT_PUBLISHED, published_text
from tournament.models import Event, Tournament
from tournament.web.qr_codes import qr_picture

register = template.Library()


@register.simple_tag
def hashes_qr(tournament: Tournament, secret_hash: str, entries_hash: str) -> str:
    """Returns a QR code of the hashes as plain text, which a phone can store without the network."""
    return qr_picture(f"{tournament.name}\nsecret {secret_hash}\nentries {entries_hash}")


@register.filter
def public_text(text: str, event: Event) -> str:
    published = published_text(event, text)
    return gettext(NOT_PUBLISHED) if published == NOT_PUBLISHED else published
