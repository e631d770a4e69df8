"""What the server of the app adds to Streamlit's: headers, and files compressed once."""
