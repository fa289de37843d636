"""HTTP, pages and the command line."""
