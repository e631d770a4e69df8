"""Tables of the circuits of a panel, as people bring them."""
