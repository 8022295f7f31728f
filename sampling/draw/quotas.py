"""How many questions each stratum is asked for, and which strata have too few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from sampling.study.definition import QuotaRule, SampleTable
from sampling.study.errors import Problems, StudyError, did_you_mean


def stratum_quotas(
    strata: Sequence[tuple[str, ...]], table: SampleTable
) -> dict[tuple[str, ...], int]:
    """Say how many questions each stratum is asked for; of `per_stratum`'s rules the last counts.

    >>> table = SampleTable(
    ...     strata=("script_name",),
    ...     per_stratum=(QuotaRule(where={}, n=4), QuotaRule(where={"script_name": "Khmer"}, n=2)),
    ... )
    >>> stratum_quotas([("Khmer",), ("Tamil",)], table)
    {('Khmer',): 2, ('Tamil',): 4}
    """
    if isinstance(table.per_stratum, int):
        return dict.fromkeys(strata, table.per_stratum)
    problems = Problems()
    quotas: dict[tuple[str, ...], int] = {}
    for number, rule in enumerate(table.per_stratum, start=1):
        place = f"study.toml [sample] per_stratum, rule {number}"
        unknown = [field for field in rule.where if field not in table.strata]
        for field in unknown:
            hint = did_you_mean(field, table.strata)
            problems.add(place, f"{field!r} is not one of the strata{hint}")
        matched = [one for one in strata if _matches(rule, table.strata, one)]
        if not matched and not unknown:
            problems.add(place, f"no question has {_values(rule, strata, table.strata)}")
        quotas.update(dict.fromkeys(matched, rule.n))
    for stratum in strata:
        if stratum not in quotas and not problems:
            name = " × ".join(stratum)
            problems.add(
                "study.toml [sample] per_stratum",
                f"no rule matches {name}; let the first be {{ where = {{}}, n = ... }} for all",
            )
    problems.raise_if_any()
    return {stratum: quotas[stratum] for stratum in strata}


def _matches(rule: QuotaRule, fields: Sequence[str], stratum: tuple[str, ...]) -> bool:
    values = dict(zip(fields, stratum, strict=True))
    return all(values.get(field) == str(value) for field, value in rule.where.items())


def _values(rule: QuotaRule, strata: Sequence[tuple[str, ...]], fields: Sequence[str]) -> str:
    """Write what a rule asks for, with the nearest value that does exist."""
    parts = []
    for field, value in rule.where.items():
        known = {stratum[fields.index(field)] for stratum in strata}
        hint = "" if str(value) in known else did_you_mean(str(value), known)
        parts.append(f"{field} = {value!r}{hint}")
    return " and ".join(parts)


def absent_strata(present: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Find the empty cells of a crossed design.

    Fields are taken as crossed when more than half of the combinations of their values occur;
    nested fields (a category and its task family) never reach that.

    >>> absent_strata([("Khmer", "Count"), ("Khmer", "Script"), ("Tamil", "Count")])
    {('Tamil', 'Script')}
    >>> absent_strata([("Counting", "Lines"), ("Reading", "Script")])
    set()
    """
    found = set(present)
    levels = [sorted(set(values)) for values in zip(*sorted(found), strict=True)]
    if prod(len(level) for level in levels) >= 2 * len(found):
        return set()
    return set(product(*levels)) - found


def check_shortage(
    available: Mapping[tuple[str, ...], int],
    asked: Mapping[tuple[str, ...], int],
    table: SampleTable,
) -> None:
    """Refuse a draw for which strata have too few questions, naming every one."""
    if table.on_shortage == "take_all":
        return
    short = [
        f"{' × '.join(stratum)}: {available[stratum]} of {number} questions"
        for stratum, number in asked.items()
        if available[stratum] < number
    ]
    if short:
        cells = "stratum has" if len(short) == 1 else "strata have"
        raise StudyError(
            f"study.toml [sample]: {len(short)} {cells} too few questions: "
            + "; ".join(short)
            + '. Lower per_stratum, or give these a rule in it, or set on_shortage = "take_all"'
        )
