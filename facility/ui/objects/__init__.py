"""The objects of the open design: selection, what is known of them, search."""
