"""The best phases there are, with the proof: a mixed-integer program."""
