"""The facility: the user's input (`project`) and the resolved design data (`facility`)."""
