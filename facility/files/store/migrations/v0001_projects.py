"""Projects, revisions, separate panels, and roles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "store_projects",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("head", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("search", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("archived_at", sa.String(27)),
        sa.Column("origin", sa.String(32)),
        sa.Column("origin_number", sa.Integer),
    )
    op.create_table(
        "store_revisions",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.String(27), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project", "number"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "store_panels",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.String(27), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("text", sa.Text),
        sa.PrimaryKeyConstraint("project", "name", "number"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "store_roles",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.PrimaryKeyConstraint("project", "who"),
        sa.ForeignKeyConstraint(["project"], ["store_projects.id"], ondelete="CASCADE"),
    )
    op.create_index("store_roles_by_person", "store_roles", ["who"])
