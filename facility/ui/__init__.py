"""Streamlit app: selects inputs, calls the library and displays results; it calculates nothing."""
