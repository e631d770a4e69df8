"""Import of panels from workbooks and tables, with all differences."""
