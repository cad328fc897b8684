"""A form of a page, filled in without the page."""

from django.forms import BaseForm


def as_sent(form: BaseForm, **typed: object) -> dict[str, object]:
    """What a browser sends: the values that the page shows, and what is typed."""
    values = {name: form[name].value() for name in form.fields} | typed
    return {name: value for name, value in values.items() if value is not None and value is not False}
