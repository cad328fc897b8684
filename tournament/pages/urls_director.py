"""Addresses of the director's pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
