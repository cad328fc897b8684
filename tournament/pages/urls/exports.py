"""Addresses of files to take away."""

from django.urls import path

from tournament.pages import exports

TOURNAMENT = "e/<slug:event>/<slug:tournament>/"

urlpatterns = [
    path(f"{TOURNAMENT}bracket.svg", exports.bracket_svg_export, name="bracket-svg"),
    path(f"{TOURNAMENT}bracket/<slug:bracket>.svg", exports.bracket_svg_export, name="side-bracket-svg"),
    path(f"{TOURNAMENT}entries.<str:kind>", exports.entries_export, name="entries-export"),
    path(f"{TOURNAMENT}standings.<str:kind>", exports.standings_export, name="standings-export"),
    path(f"{TOURNAMENT}results.<str:kind>", exports.results_export, name="results-export"),
]
