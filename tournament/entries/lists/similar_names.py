"""Finds people whose names are spelled nearly alike: other order, missing accents, initials, a wrong letter. Pure."""

import unicodedata
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Generic, TypeVar

Person = TypeVar("Person")

_FEWEST_EQUAL = 0.85  # of the letters; "Jon Smith" and "John Smith" have 0.95
_MOST_NAMESAKES = 12  # a word that more people have, such as "Player", finds nobody


class SimilarNames(Generic[Person]):
    """Finds people by name. Searches only people who share a word with the name, so that long lists stay fast."""

    def __init__(self, people: Sequence[tuple[str, Person]]) -> None:
        self.people = [(_words(name), person) for name, person in people]
        self.by_word: dict[str, list[int]] = {}
        self.by_name: dict[tuple[str, ...], list[int]] = {}
        for place, (words, _person) in enumerate(self.people):
            self.by_name.setdefault(tuple(sorted(words)), []).append(place)
            for word in set(words):
                self.by_word.setdefault(word, []).append(place)

    def find(self, name: str) -> list[Person]:
        """Returns people with a similar name in the order given. The same name is similar."""
        words = _words(name)
        same = self.by_name.get(tuple(sorted(words)), []) if words else []
        places = {*same, *(place for word in words for place in _few(self.by_word, word))}
        return [
            self.people[place][1] for place in sorted(places) if _are_similar(words, self.people[place][0])
        ]


def _few(by_word: Mapping[str, list[int]], word: str) -> list[int]:
    places = by_word.get(word, [])
    return places if len(places) <= _MOST_NAMESAKES else []


def _words(name: str) -> tuple[str, ...]:
    """Returns the words without case, accents and signs."""
    bare = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i"))
    letters = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return tuple("".join(letter if letter.isalnum() else " " for letter in letters).split())


def _are_similar(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    if sorted(words) == sorted(others):
        return True
    if words[-1] == others[-1] and _is_initial(words[0], others[0]):
        return True
    return SequenceMatcher(None, " ".join(words), " ".join(others)).ratio() >= _FEWEST_EQUAL


def _is_initial(first: str, other: str) -> bool:
    return min(len(first), len(other)) == 1 and first[0] == other[0]
