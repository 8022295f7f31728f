"""What is read: the report, its figures, and the reporting checklist."""
