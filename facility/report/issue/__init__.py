"""Documents of an issued design: contents of each sheet, laid out on pages."""
