"""All rows of the product's own tables, to say that nothing changed."""

from django.apps import apps

SEEN_BY_LOOKING = {"ApiToken", "PersonalLink"}


def rows() -> dict[str, list[dict]]:
    """Every row by its model, but for what notes that somebody came by."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for name in ("tournament", "matches")
        for model in apps.get_app_config(name).get_models()
        if model.__name__ not in SEEN_BY_LOOKING
    }
