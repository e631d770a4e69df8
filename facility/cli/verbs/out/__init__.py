"""The verbs that write documents, workbooks and lists."""
