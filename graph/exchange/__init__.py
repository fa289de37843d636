"""What other programs of language and data work take: glossaries, inventories, reconciliation, cards."""
