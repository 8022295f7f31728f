"""How answers are collected: the store, the participants' and coordinators' pages, commands."""
