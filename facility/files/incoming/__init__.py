"""User tables, read with their cell addresses, with headings mapped to fields."""
