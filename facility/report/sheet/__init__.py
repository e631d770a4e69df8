"""What sheets are made of: cells, columns, lines of a calculation, styles."""
