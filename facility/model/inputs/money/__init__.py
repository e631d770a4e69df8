"""Electricity tariff and cost of ownership."""
