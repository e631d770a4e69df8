"""UPS: candidate modules, sizing, and further results."""
