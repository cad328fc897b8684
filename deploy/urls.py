"""URL configuration: pages, API and metrics."""

from django.urls import include, path

from deploy.monitoring import metrics_page

urlpatterns = [
    path("metrics", metrics_page.metrics, name="metrics"),
    path("api/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]

handler400 = "tournament.web.refusals.bad_request"
handler403 = "tournament.web.refusals.denied"
handler404 = "tournament.web.refusals.not_found"
handler500 = "tournament.web.refusals.server_error"
