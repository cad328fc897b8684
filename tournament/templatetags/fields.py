"""Filters of form fields: whether the user has to fill them in, and the focus on errors."""

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def needs_value(field: BoundField) -> bool:
    """True if the field is required and has no initial value."""
    is_required = field.field.required and field.field.widget.use_required_attribute(field.initial)
    return is_required and field.initial in (None, "")


@register.filter
def widget_with_focus(field: BoundField) -> SafeString:
    """The widget. It gets the focus if the field has an error. A browser focuses the first of several."""
    return field.as_widget(attrs={"autofocus": True} if field.errors else None)
