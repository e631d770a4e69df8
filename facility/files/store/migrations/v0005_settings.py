"""Store-wide settings, beginning with the store id."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table, and assign an id to the store."""
    table = op.create_table(
        "store_settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.bulk_insert(table, [{"name": "id", "value": secrets.token_hex(16)}])
