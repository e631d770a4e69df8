"""The liquid path of a finished design as a study: racks, classes, cold plates, commissioning."""
