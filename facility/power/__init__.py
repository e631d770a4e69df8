"""The power wing: from the IT load to the utility."""
