"""The two hashes of a public draw as a QR code, to be kept by whoever scans it."""

from django import template

from tournament.models import Tournament
from tournament.pages.qr import qr_picture

register = template.Library()


@register.simple_tag
def hashes_qr(tournament: Tournament, secret_hash: str, entries_hash: str) -> str:
    """A picture of the hashes as text: it needs no address, and a phone can keep it."""
    return qr_picture(f"{tournament.name}\nsecret {secret_hash}\nentries {entries_hash}")
