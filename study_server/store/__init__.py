"""All SQL of the house: tables, migrations, functions that take a session and never commit."""
