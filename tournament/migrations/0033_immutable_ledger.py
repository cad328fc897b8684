"""Triggers of both databases that refuse to change transfers and transactions."""

from django.db import migrations

FIXED_FIELDS = {
    "tournament_transfer": ("transaction_id", "line", "source_id", "target_id", "amount"),
    "tournament_ledgertransaction": ("event_id", "key", "deed", "at", "journal_line_id", "reverses_id"),
}

POSTGRESQL_FUNCTION = """
CREATE FUNCTION refuse_to_change_the_ledger() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'ledger_is_never_changed' USING ERRCODE = 'integrity_constraint_violation';
END
$$ LANGUAGE plpgsql
"""


def create_triggers(_apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    if is_postgresql:
        schema_editor.execute(POSTGRESQL_FUNCTION)
    for table, fields in FIXED_FIELDS.items():
        action = (
            "FOR EACH ROW EXECUTE FUNCTION refuse_to_change_the_ledger()"
            if is_postgresql
            else "BEGIN SELECT RAISE(ABORT, 'ledger_is_never_changed'); END"
        )
        schema_editor.execute(
            f"CREATE TRIGGER {table}_is_never_changed BEFORE UPDATE OF {', '.join(fields)} ON {table} {action}"
        )


def drop_triggers(_apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    for table in FIXED_FIELDS:
        place = f" ON {table}" if is_postgresql else ""
        schema_editor.execute(f"DROP TRIGGER {table}_is_never_changed{place}")
    if is_postgresql:
        schema_editor.execute("DROP FUNCTION refuse_to_change_the_ledger()")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0032_ledger")]
    operations = [migrations.RunPython(create_triggers, drop_triggers)]
