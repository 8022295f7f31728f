"""How answers are collected: the store, the participants' and coordinators' pages, commands."""

import sys
from importlib.util import find_spec
from pathlib import Path

_HOME = Path(__file__).resolve().parent.parent


def _is_ours(package: str) -> bool:
    found = find_spec(package)
    return found is not None and found.origin is not None and _HOME in Path(found.origin).parents


# A folder `analysis/` or `templates/` of somebody's own, where Python looks first (PYTHONPATH=.),
# would stand in for ours.
if not all(map(_is_ours, ("sampling", "analysis", "templates", "instructions"))):
    sys.path.insert(0, str(_HOME))
