"""Read-only links to projects."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "store_links",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(27), nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.String(27)),
        sa.PrimaryKeyConstraint("token"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
    op.create_index("store_links_of_project", "store_links", ["project"])
