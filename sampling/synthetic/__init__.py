"""A synthetic benchmark: palm leaves that are drawn, with questions, keys and models' answers."""
