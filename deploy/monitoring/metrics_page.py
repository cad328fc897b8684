"""The page /metrics for Prometheus, protected by a bearer token."""

import hmac

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from deploy.monitoring.http_metrics import collected_registry
from deploy.monitoring.installation_metrics import InstallationCollector

_installation_registry = CollectorRegistry()
_installation_registry.register(InstallationCollector())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Returns 401 for a wrong token. Raises Http404 if METRICS_TOKEN is not set."""
    if not settings.METRICS_TOKEN:
        raise Http404
    authorization = f"{request.headers.get('Authorization', '')}".encode()
    if not hmac.compare_digest(authorization, f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(
            "Send METRICS_TOKEN as a bearer token.\n",
            status=401,
            headers={"WWW-Authenticate": "Bearer"},
            content_type="text/plain; charset=utf-8",
        )
    return HttpResponse(
        generate_latest(collected_registry()) + generate_latest(_installation_registry),
        content_type=CONTENT_TYPE_LATEST,
    )
