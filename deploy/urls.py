"""URL configuration: pages, API and metrics."""

from django.urls import include, path

from deploy.monitoring import metrics_page

urlpatterns = [
    path("metrics", metrics_page.metrics, name="metrics"),
    path("api/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]

handler400 = "tournament.web.error_pages.bad_request"
handler403 = "tournament.web.error_pages.denied"
handler404 = "tournament.web.error_pages.not_found"
handler500 = "tournament.web.error_pages.server_error"
