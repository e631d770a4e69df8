"""What the server keeps of designs within a stated memory; what is free the system gets back."""
