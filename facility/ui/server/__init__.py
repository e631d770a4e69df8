"""Server extensions of Streamlit: security headers, compressed assets, complete input handling."""
