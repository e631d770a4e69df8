"""Blocks of a page: numbers, charts, tables and text, declared as data; one renderer."""
