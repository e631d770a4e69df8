"""The workbook as neutral sheets."""
