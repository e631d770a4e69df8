"""Machines of the power chain: supplies, UPS, batteries, transformers, generators."""
