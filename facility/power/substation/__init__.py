"""Transformers between the utility and the UPS, and what their gear interrupts."""
