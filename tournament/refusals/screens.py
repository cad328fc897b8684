"""Refusals of screens and their slides."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

TOO_MANY_SCREENS = Refusal(
    "too-many-screens", _("This event already has {most} screens. Revoke the link of an unused screen.")
)
NOTHING_TO_SHOW = Refusal(
    "nothing-to-show", _("The screen has nothing to show. Choose at least one kind of slide.")
)
SECONDS_OUT_OF_RANGE = Refusal(
    "seconds-out-of-range",
    _("This time is not possible. Show each slide for {shortest} to {longest} seconds."),
)
NO_SUCH_TOURNAMENT = Refusal(
    "no-such-tournament", _("A tournament in this choice is not part of the event. Choose again.")
)
EMPTY_SLIDE = Refusal("empty-slide", _("The slide is empty. Type a text, or choose a picture."))
TOO_MANY_SLIDES = Refusal("too-many-slides", _("There are already {most} slides. Remove one first."))
