"""The cooling chain as a whole: sized, at work, and checked."""
