"""All rows of the tables of `tournament` and `matches`, to assert that nothing changed."""

from django.apps import apps

UPDATED_BY_READING = {"ApiToken", "PersonalLink"}


def rows() -> dict[str, list[dict]]:
    """Returns the rows of each model, except models that record the last use."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for name in ("tournament", "matches")
        for model in apps.get_app_config(name).get_models()
        if model.__name__ not in UPDATED_BY_READING
    }
