"""QR codes as pictures that a page can show without any script."""

import segno


def qr_picture(address: str) -> str:
    """The address as a QR code: an SVG in a data address, for the src of an <img>. White ground in any scheme."""
    made = segno.make(address, micro=False, error="m")
    picture: str = made.svg_data_uri(scale=4, border=3, light="#fff", xmldecl=False)
    return picture
