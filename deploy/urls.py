"""Where each address leads: pages for people, the API for programs."""

from django.urls import include, path

from deploy.watching import page

urlpatterns = [
    path("metrics", page.metrics, name="metrics"),
    path("api/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]

handler400 = "tournament.pages.answers.bad_request"
handler403 = "tournament.pages.answers.denied"
handler404 = "tournament.pages.answers.not_found"
handler500 = "tournament.pages.answers.broken"
