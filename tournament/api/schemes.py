"""Describes authentication schemes and tags for the OpenAPI document."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

MONEY = (
    "bank_statement", "calcutta", "fees", "hedges", "money_files", "organizers", "payouts", "player_money", "prizes",
    "receipts", "settlements", "tills", "worth",
)  # fmt: skip
TAGS = {
    "draws": "draw", "seats": "draw", "late_entries": "draw", "brackets": "draw", "standings": "draw",
    "phones": "entries", "disputes": "matches", "screens": "events", "logos": "events", "accounts": "account",
    "round_previews": "rounds", "player_merging": "entries",
    **dict.fromkeys(MONEY, "money"),
}  # fmt: skip


class TagByModule(AutoSchema):
    """Tags each operation with the name of its module, so that a reader finds it by topic."""

    def get_tags(self) -> list[str]:
        module = type(self.view).__module__.rpartition(".")[2]
        return [TAGS.get(module, module)]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        description = "An API token of a director, or the token of a player's personal link."
        return {"type": "http", "scheme": "bearer", "description": description}


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.CookieAuthentication"
    name = ["phone", "session"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:  # noqa: ARG002
        """Either cookie is sufficient."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:  # noqa: ARG002
        return [
            {"type": "apiKey", "in": "cookie", "name": "link", "description": "A player's phone."},
            {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "A signed-in browser."},
        ]
