"""The best designs: fields left free, objectives, limits, and the front between them."""
