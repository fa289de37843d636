"""What the words mean and what the documents state: files a person reads, and where they are."""
