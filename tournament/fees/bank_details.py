"""Bank accounts and payment links of an organizer. Pure."""

import re
from string import Formatter

from babel.core import get_global

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?")
LINK_FIELDS = frozenset({"amount", "currency", "reference"})


def plain_iban(text: str) -> str:
    """The IBAN in capitals and without spaces."""
    return "".join(text.split()).upper()


def is_iban(iban: str) -> bool:
    """True if the check digits are right, modulo 97 (ISO 13616)."""
    digits = "".join(str(int(character, 36)) for character in iban[4:] + iban[:4]) if iban.isalnum() else "0"
    return _IBAN.fullmatch(iban) is not None and int(digits) % 97 == 1


def is_bic(bic: str) -> bool:
    return _BIC.fullmatch(bic) is not None


def is_country(code: str) -> bool:
    """True for a code of two letters (ISO 3166)."""
    return code in get_global("territory_currencies")


def is_payment_link(template: str) -> bool:
    """True for an https address with {amount}, and no other fields than those of LINK_FIELDS."""
    try:
        fields = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(template)]
    except ValueError:
        return False
    named = {name for name, spec, conversion in fields if name is not None and not spec and not conversion}
    count = sum(name is not None for name, _spec, _conversion in fields)
    is_address = re.fullmatch(r"https://[^\s/?#@]+\.[^\s@]+", template) is not None
    return is_address and "amount" in named and named <= LINK_FIELDS and count == len(named)
