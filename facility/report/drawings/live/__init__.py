"""The live one-line diagram: equipment of its shapes, racks, and times of a state."""
