"""What is asked, and of whom."""
