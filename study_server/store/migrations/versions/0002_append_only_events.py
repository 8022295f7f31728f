"""The event log refuses changes and deletions from the database itself."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SQLITE = """
CREATE TRIGGER event_no_{verb} BEFORE {verb} ON event
BEGIN SELECT RAISE(ABORT, 'the event log is append only'); END
"""

POSTGRESQL_FUNCTION = """
CREATE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the event log is append only'; END $$
"""

POSTGRESQL = """
CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON event
FOR EACH STATEMENT EXECUTE FUNCTION event_append_only()
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("update", "delete"):
            op.execute(SQLITE.format(verb=verb))
    else:
        op.execute(POSTGRESQL_FUNCTION)
        op.execute(POSTGRESQL)
