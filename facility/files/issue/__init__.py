"""Files of a set that is issued: PDF, DXF and SVG of the same sheets, and their values as JSON."""
