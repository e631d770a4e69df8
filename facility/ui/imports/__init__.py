"""Import of tables: one view, and a declaration for each kind of table."""
