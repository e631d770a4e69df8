"""The append-only record of who read, saved, shared and signed in, and its keyed hash chain."""
