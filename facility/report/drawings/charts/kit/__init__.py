"""Parts of charts: shapes, axes, lines, bars and cells, independent of page and file format."""
