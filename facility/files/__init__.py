"""Files: project, panel and workbook, read with suspicion and written whole."""
