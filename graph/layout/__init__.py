"""Where the parts of a picture of a graph stand."""
