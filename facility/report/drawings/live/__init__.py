"""The one-line diagram alive: what its shapes stand for, its racks, and its moments."""
