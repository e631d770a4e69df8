"""Versions of the store's tables; Alembic runs `upgrade` of each in its order."""
