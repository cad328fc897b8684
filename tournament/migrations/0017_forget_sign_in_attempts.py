"""Empties the tables of the package that counted sign-ins: they named used one-time links, addresses and browsers."""

from django.db import migrations

TABLES = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog")


def empty(_apps, schema_editor):
    found = set(schema_editor.connection.introspection.table_names())
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            if table in found:
                cursor.execute(f"DELETE FROM {table}")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0016_names_and_search_engines")]

    operations = [migrations.RunPython(empty, migrations.RunPython.noop, elidable=True)]
