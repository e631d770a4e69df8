"""The objects of a design, from the site to a rack: tree, numbers, checks, inputs, search."""
