"""Practice ends: when somebody may not practise any more."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("participant", sa.Column("practice_ended_at", sa.DateTime(timezone=True)))
