"""Commissioning of a design: ordered test steps with expected values, and operating limits."""
