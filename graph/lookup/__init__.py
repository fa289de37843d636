"""Names of things: finding them, finding them in texts, checking them."""
