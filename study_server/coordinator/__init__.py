"""The coordinator's pages: one blueprint that never imports the participant's."""
