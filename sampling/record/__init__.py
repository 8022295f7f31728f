"""Evidence: the event log, the freeze, and what a verification found."""
