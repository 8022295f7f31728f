"""What is stored: tables, migrations, transactions, the event log."""
