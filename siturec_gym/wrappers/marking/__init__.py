"""Set-of-Mark pictures: which pixels belong to a mark, where its label goes, and how both are drawn (S13)."""
