"""Reading and writing of files, whole or not at all, and text made safe."""
