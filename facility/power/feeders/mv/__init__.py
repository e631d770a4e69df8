"""Medium-voltage cables: ratings, choice and withstand."""
