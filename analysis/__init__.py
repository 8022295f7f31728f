"""What was answered and what it shows: responses, scores, agreement, tables, report."""
