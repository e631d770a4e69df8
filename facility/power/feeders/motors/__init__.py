"""Circuits of cooling units: their feeders, and the circuit of each."""
