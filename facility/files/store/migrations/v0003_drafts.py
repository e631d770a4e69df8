"""Drafts: entries of one person that are not yet part of a project."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "store_drafts",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("saved_at", sa.String(27), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project", "who", "name"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
