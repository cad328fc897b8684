"""Where each page lives. The director's come first: a fixed word such as /e/open/new/ is not a tournament's name."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.pages.urls.screens")),
    path("", include("tournament.pages.urls.director")),
    path("", include("tournament.pages.urls.money")),
    path("", include("tournament.pages.urls.prizes")),
    path("", include("tournament.pages.urls.player")),
    path("", include("tournament.pages.urls.exports")),
    path("", include("tournament.pages.urls.public")),
]
