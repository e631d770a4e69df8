"""Panels read back from workbooks and tables, with everything they change."""
