"""Ask an earlier commit and the present tree the same questions, and compare the answers."""
