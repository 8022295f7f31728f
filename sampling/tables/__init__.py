"""Rows in any format: files found, read row by row, and their fields mapped to ours."""
