"""The site, resolved: weather, utility, prices."""
