"""How an answer is read: vocabularies, normalisation, and what is allowed."""
