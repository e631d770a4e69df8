"""The UPS: modules to choose from, sizing, and what else it asks and offers."""
