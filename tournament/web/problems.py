"""Bodies of problem documents (RFC 9457), for the API and for middleware that refuses a request."""

from typing import Any

MEDIA_TYPE = "application/problem+json"


def problem(status: int, code: str, detail: str, **members: Any) -> dict[str, Any]:
    return {
        "type": f"urn:problem:{code}",
        "title": code,
        "status": status,
        "code": code,
        "detail": detail,
        **members,
    }
