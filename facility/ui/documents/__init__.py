"""Place Documents: the set of sheets, its issue, other files, verification of workbooks."""
