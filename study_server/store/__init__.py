"""All SQL: what is stored, asked, answered, assigned and steered."""
