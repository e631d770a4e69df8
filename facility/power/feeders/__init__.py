"""Feeders and branch circuits: overcurrent devices, conductors, protection of transformers."""
