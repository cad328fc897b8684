"""Where each page lives. The director's come first: a fixed word such as /e/open/new/ is not a tournament's name."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.pages.urls_screens")),
    path("", include("tournament.pages.urls_director")),
    path("", include("tournament.pages.urls_player")),
    path("", include("tournament.pages.urls_exports")),
    path("", include("tournament.pages.urls_public")),
]
