"""The cooling chain as a whole: sizing, operation, and checks."""
