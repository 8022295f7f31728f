"""The participants' pages, from the personal link to the last thank-you."""
