"""A topic of the help page, and the search in topics. The keys are anchors of the page."""

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Topic:
    key: str
    title: Promise
    text: Promise


def search_topics(topics: tuple[Topic, ...], words: str) -> list[Topic]:
    """Returns the topics that contain all these words, in the language of the reader."""
    wanted = words.casefold().split()
    return [
        topic for topic in topics if all(word in f"{topic.title} {topic.text}".casefold() for word in wanted)
    ]
