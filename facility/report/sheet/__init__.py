"""Elements of sheets: cells, columns, calculation lines, styles."""
