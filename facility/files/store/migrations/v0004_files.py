"""Files that the revisions of a project name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "store_files",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("name", sa.String(160), nullable=False),
        sa.Column("saved_at", sa.String(27), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("packed", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project", "name"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
