"""How answers are collected: the store, the participants' and coordinators' pages, commands."""

from study_server.web.own_packages import OWN_PACKAGES

__all__ = ["OWN_PACKAGES"]
