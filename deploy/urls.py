"""Where each address leads: pages for people, the API for programs."""

from django.urls import include, path

urlpatterns = [
    path("api/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]
