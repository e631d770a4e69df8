"""Export files of a design and verification of workbooks, run by workers."""
