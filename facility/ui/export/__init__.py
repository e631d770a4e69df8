"""The page Export: files of a design, and workbooks that are verified."""
