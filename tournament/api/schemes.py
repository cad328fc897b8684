"""How the OpenAPI document describes the ways of saying who asks."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        said = "An API token of a director, or the token of a player's personal link."
        return {"type": "http", "scheme": "bearer", "description": said}


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.PersonalLinkCookie"
    name = "phone"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "apiKey", "in": "cookie", "name": "link", "description": "A player's phone."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournament.api.authentication.DirectorSession"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "A signed-in browser."}
