"""Presentation of each study: results, checks, tables, and JSON lists."""
