"""Files of a design, and workbooks that are verified: made by workers, without a page."""
