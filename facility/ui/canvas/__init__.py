"""Components that draw in the browser: charts."""
