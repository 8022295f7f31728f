"""The participants' blueprint: every page a personal link leads to."""

from __future__ import annotations

from flask import Blueprint

blueprint = Blueprint("participant", __name__)
