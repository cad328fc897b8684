"""How the OpenAPI document describes the ways of saying who asks, and where each operation belongs."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

TAGS = {
    "draws": "draw", "seats": "draw", "brackets": "draw", "standings": "draw", "phones": "entries",
    "disputes": "matches", "screens": "events", "accounts": "account",
}  # fmt: skip


class TagByModule(AutoSchema):
    """Groups operations by the module that answers them: a director looks for the desk, not for a path."""

    def get_tags(self) -> list[str]:
        room = type(self.view).__module__.rpartition(".")[2]
        return [TAGS.get(room, room)]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        said = "An API token of a director, or the token of a player's personal link."
        return {"type": "http", "scheme": "bearer", "description": said}


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.CookieAuthentication"
    name = ["phone", "session"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:  # noqa: ARG002
        """Either cookie will do."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:  # noqa: ARG002
        return [
            {"type": "apiKey", "in": "cookie", "name": "link", "description": "A player's phone."},
            {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "A signed-in browser."},
        ]
