"""robots.txt and security.txt."""

from django.test import Client


def test_search_engines_are_kept_out_of_private_pages():
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert "Disallow: /p/\n" in answer.content.decode()


def test_security_txt_names_the_contact_from_the_settings(settings):
    settings.SECURITY_CONTACT = ""
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    text = Client().get("/.well-known/security.txt").content.decode()
    assert text.startswith("Contact: mailto:security@example.org\nExpires: ")
