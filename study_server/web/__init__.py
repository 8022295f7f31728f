"""What every request passes: configuration, security, static files, monitoring."""
