"""Bodies of problem documents (RFC 9457), for the API and for middleware that refuses a request."""

from typing import Any

MEDIA_TYPE = "application/problem+json"


def problem(code: int, name: str, detail: str, **more: Any) -> dict[str, Any]:
    """The body of a problem document."""
    return {
        "type": f"urn:problem:{name}",
        "title": name,
        "status": code,
        "code": name,
        "detail": detail,
        **more,
    }
