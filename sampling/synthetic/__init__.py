"""The synthetic benchmark: palm-leaf folios drawn so that every key is true by construction."""
