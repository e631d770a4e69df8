"""Files that the app offers for download, and the check of an uploaded one."""
