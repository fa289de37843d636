"""How things are linked: paths, neighbours, and how they are told."""
