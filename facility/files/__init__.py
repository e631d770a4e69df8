"""Files: project, panel and workbook, with checked reading and atomic writing."""
