"""A language for tests: every sentence that translators get, with accents on its letters. Placeholders keep theirs.

A plain letter on a page then belongs to data or to a sentence that translators do not get.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.apps import apps
from django.test import override_settings

from tests.house.catalogue import catalogue

LANGUAGE = "en-xa"
FOLDER = "en_XA"
TRANSLATED_BY_LIBRARIES = "de"
"""A language whose catalogues, made by the libraries themselves, list all their sentences."""
ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćďéƒǵĥíĵķĺḿńőƥɋŕśťúṽẃẋýźÁƁĆĎÉƑǴĤÍĴĶĹḾŃŐƤɊŔŚŤÚṼẂẊÝŹ",
)
PLACEHOLDERS = re.compile(r"(%\(\w+\)[sd]|%[sd%]|\{[^{}]*\}|<[^>]*>|&\w+;)")
"""Also markup."""


def accented(sentence: str) -> str:
    return "".join(
        part if PLACEHOLDERS.fullmatch(part) else part.translate(ACCENTED)
        for part in PLACEHOLDERS.split(sentence)
    )


@contextmanager
def pseudo_locale(folder: Path) -> Iterator[None]:
    """Makes the accented language the only one; its catalogue is written to the folder."""
    place = folder / FOLDER / "LC_MESSAGES"
    place.mkdir(parents=True)
    with open(place / "django.mo", "wb") as file:
        write_mo(file, accented_catalogue())
    with override_settings(LANGUAGE_CODE=LANGUAGE, LANGUAGES=[(LANGUAGE, "Accented")], LOCALE_PATHS=[folder]):
        yield


def accented_catalogue() -> Catalog:
    translated = Catalog(locale="en")
    for source in (*library_catalogues(), catalogue()):
        for message in source:
            if message.id:
                translated.add(message.id, accented_message(message), context=message.context)
    return translated


def accented_message(message: Message) -> str | tuple[str, ...]:
    forms = message.id
    return accented(forms) if isinstance(forms, str) else tuple(accented(form) for form in forms)


def library_catalogues() -> Iterator[Catalog]:
    """The sentences of Django and of other installed packages."""
    places = [Path(django.__file__).parent / "conf", *(Path(app.path) for app in apps.get_app_configs())]
    for place in places:
        path = place / "locale" / TRANSLATED_BY_LIBRARIES / "LC_MESSAGES" / "django.po"
        if path.exists():
            with open(path, "rb") as file:
                yield read_po(file)
