"""The facility: what the user said (`project`) and what is designed (`facility`)."""
