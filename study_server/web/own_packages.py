"""Puts Lontar's own packages first where a folder of the same name would stand in for one."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

OWN_PACKAGES = ("sampling", "analysis", "templates", "instructions")
HOME = Path(__file__).resolve().parents[2]


def is_ours(package: str) -> bool:
    """Tell whether Python would take a package from where this one is."""
    found = find_spec(package)
    return found is not None and found.origin is not None and HOME in Path(found.origin).parents


# A folder `analysis/` of somebody's own may come first: PYTHONPATH=. is enough.
if not all(map(is_ours, OWN_PACKAGES)):
    sys.path.insert(0, str(HOME))
