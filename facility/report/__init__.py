"""Neutral documents: tables, steps and checks, before any file format."""
