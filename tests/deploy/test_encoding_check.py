"""The check of the database encoding."""

import pytest

from deploy.encoding_check import check_database_encoding, encoding_error


@pytest.mark.django_db
def test_a_database_in_ascii_is_refused_with_a_hint():
    assert check_database_encoding(databases=["default"]) == []
    refused = encoding_error("SQL_ASCII")
    assert refused.is_serious()
    assert str(refused.hint).startswith("Create it again with UTF-8: createdb --encoding UTF8")
