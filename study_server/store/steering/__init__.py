"""What coordinators read and change."""
