"""Medium-voltage cables: ratings, selection and withstand."""
