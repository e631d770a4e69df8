"""Schema versions of the store; Alembic runs their `upgrade` functions in order."""
