"""One response, from a submitted form to its row."""
