"""The documents of a design that is issued: what each sheet holds, laid out on pages."""
