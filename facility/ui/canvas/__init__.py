"""Components that draw in the browser: the canvas of a design, and charts."""
