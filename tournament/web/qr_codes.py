"""QR codes that a page can show without a script."""

import segno


def qr_picture(address: str) -> str:
    """Returns the QR code as an SVG data URL for <img src>. White background in light and dark mode."""
    code = segno.make(address, micro=False, error="m")
    picture: str = code.svg_data_uri(scale=4, border=3, light="#fff", xmldecl=False)
    return picture
