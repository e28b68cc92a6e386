"""Makes a folder for a flow of one's own."""
