"""The participant's pages: one blueprint that never imports the coordinator's."""
