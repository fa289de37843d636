"""Reading an edition: from the text of a page to claims with their lines."""
