"""Practice questions keep the sentence that is shown after the answer."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "outside_question", sa.Column("feedback", sa.Text, nullable=False, server_default="")
    )
