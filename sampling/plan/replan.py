"""Changes while a study runs: only unanswered slots move, and as few of them as possible.

The server calls `replan(questions, answered, unanswered, capacities, barred, assignment, seed)`
after whatever changed was written down: somebody left (leave them out of `capacities`), joined
(`level=True` gives them a share of what is open), got another quota, was inactive, or a question
was replaced. What comes back names every slot that changes hands (`moves`), where each open slot
then stands (`slots`), what nobody may take (`unplaced`), and whether the study can finish.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from sampling.assignment.feasibility import Feasibility, check_feasibility
from sampling.assignment.order import put_in_order
from sampling.assignment.plan import Slot
from sampling.assignment.targets import equal_share
from sampling.plan.margins import by_person
from sampling.plan.replan_flow import Wish, cheapest_holders
from sampling.study.definition import AssignmentTable
from sampling.study.keyed import digest
from sampling.study.questions import Question

# An answer above a person's share costs less than a move, or for late joiners more.
OVERLOADED = 0.1
RELIEVED = 2.0

Pair = tuple[str, str]


@dataclass(frozen=True)
class OpenSlot:
    """A slot without an answer: who holds it, or None, and where it stands in their order."""

    sample_id: str
    response_index: int
    participant: str | None = None
    session: int = 0
    position: int = 0


@dataclass(frozen=True)
class Move:
    """A slot that changes hands; None is nobody."""

    sample_id: str
    response_index: int
    giver: str | None
    taker: str | None


@dataclass(frozen=True)
class Replan:
    """The open slots after a change.

    `slots` are those that somebody holds, sorted by person and position; the ones that did not
    move keep their session and position. `unplaced` are the (sample_id, response_index) that
    nobody may take. `feasibility` says whether all open answers can be given.
    """

    slots: tuple[Slot, ...]
    moves: tuple[Move, ...]
    unplaced: tuple[tuple[str, int], ...]
    feasibility: Feasibility


def replan(
    questions: Sequence[Question],
    answered: Sequence[Slot],
    unanswered: Sequence[OpenSlot],
    capacities: Mapping[str, int],
    barred: Collection[tuple[str, str]],
    assignment: AssignmentTable,
    seed: str,
    *,
    level: bool = False,
) -> Replan:
    """Give every open slot a holder again, keeping all that is answered.

    Parameters
    ----------
    questions : Question
        The active questions.
    answered : Slot
        Slots with an answer, which stay as they are.
    unanswered : OpenSlot
        All other slots of the active questions. For a question that was replaced, name the
        holders of the one it replaces: whoever may keep it does.
    capacities : mapping of pseudonym to int
        How many more answers each person who takes part may give (quota less answered). Whoever
        is not in it, or has 0, gives up what they hold.
    barred : collection of (pseudonym, sample_id)
        Who may not answer what; pairs that are answered are added.
    assignment : AssignmentTable
        For sessions and order.
    seed : str
        The study's seed.
    level : bool
        Whether people who hold nothing yet take an equal share of what is open from those who
        hold most; for late joiners.

    Returns
    -------
    Replan
        With the fewest moves there are: a slot whose holder stays and may keep it does not move,
        unless another slot can only be placed through it (or `level` asks for it). Among the
        fewest, takers are those below their equal share, and with few of the category.
    """
    done = {(slot.participant, slot.sample_id) for slot in answered}
    closed = done | set(barred)
    needs = Counter(slot.sample_id for slot in unanswered)
    able = {person: room for person, room in capacities.items() if room > 0}
    held: list[Pair] = [
        (slot.participant, slot.sample_id)
        for slot in unanswered
        if slot.participant in able and (slot.participant, slot.sample_id) not in closed
    ]
    wish = Wish(
        needs=needs,
        capacities=able,
        held=frozenset(held),
        barred=closed,
        shares=_level_shares(held, able) if level else _equal_shares(answered, needs, able),
        excess=RELIEVED if level else OVERLOADED,
        taste=_taste(questions, [*done, *held], seed),
    )
    holders = cheapest_holders(wish)
    slots, moves, unplaced = _hand_over(questions, answered, unanswered, holders, assignment, seed)
    return Replan(slots, moves, unplaced, check_feasibility(needs, able, closed))


def _level_shares(held: Sequence[Pair], able: Mapping[str, int]) -> dict[str, int]:
    """Cut what people hold at one level, so that those who hold nothing come up to it.

    The first people by name give one more each, as long as the newcomers stay below the others.

    >>> holds = [("P1", "a"), ("P1", "b"), ("P1", "c"), ("P2", "d")]
    >>> _level_shares(holds, {"P1": 9, "P2": 9, "P3": 9})
    {'P1': 2, 'P2': 1, 'P3': 2}
    """
    holds = Counter(person for person, _ in held)
    newcomers = [person for person in able if not holds[person]]

    def spared(level: int) -> int:
        return sum(max(count - level, 0) for count in holds.values())

    def room(level: int) -> int:
        return sum(min(level, able[person]) for person in newcomers)

    level = max(holds.values(), default=0)
    while level > 0 and newcomers and spared(level - 1) <= room(level - 1):
        level -= 1
    more = max(room(level - 1) - spared(level), 0) if newcomers else 0
    lower = sorted(person for person, count in holds.items() if count >= level)[:more]
    return {
        person: min(most, level - (person in lower), holds[person] or level)
        for person, most in able.items()
    }


def _equal_shares(
    answered: Sequence[Slot], needs: Mapping[str, int], able: Mapping[str, int]
) -> dict[str, int]:
    """Say how many open answers bring each person to an equal load in the end."""
    done = Counter(slot.participant for slot in answered if slot.participant in able)
    total = sum(needs.values()) + sum(done.values())
    share = equal_share([done[person] + room for person, room in able.items()], total)
    return {person: min(room, max(0, ceil(share) - done[person])) for person, room in able.items()}


def _taste(
    questions: Sequence[Question], theirs: Sequence[Pair], seed: str
) -> Callable[[str, str], float]:
    """Make moves less welcome the more of a category a person has; hashes decide the rest."""
    category_of = {question.sample_id: question.category for question in questions}
    counts = Counter(
        (person, category_of[sample_id]) for person, sample_id in theirs if sample_id in category_of
    )
    most = max(counts.values(), default=0) + 1

    def taste(person: str, sample_id: str) -> float:
        chance = int.from_bytes(digest(seed, "replan", person, sample_id)[:4], "big") / 2**32
        return (counts[person, category_of[sample_id]] + chance) / (most + 1)

    return taste


def _hand_over(
    questions: Sequence[Question],
    answered: Sequence[Slot],
    unanswered: Sequence[OpenSlot],
    holders: Mapping[str, set[str]],
    assignment: AssignmentTable,
    seed: str,
) -> tuple[tuple[Slot, ...], tuple[Move, ...], tuple[tuple[str, int], ...]]:
    """Give each open slot one of its question's holders, staying with whoever held it."""
    by_question = defaultdict(list)
    for slot in sorted(unanswered, key=lambda one: (one.sample_id, one.response_index)):
        by_question[slot.sample_id].append(slot)
    kept, moves, unplaced = [], [], []
    gained = defaultdict(list)
    for sample_id, slots in by_question.items():
        waiting = set(holders.get(sample_id, ()))
        stay = [slot for slot in slots if slot.participant in waiting]
        waiting -= {slot.participant for slot in stay}
        kept += [_slot(one) for one in stay]
        for slot in slots:
            if slot in stay:
                continue
            taker = min(waiting, default=None)
            waiting.discard(taker)
            if taker is None:
                unplaced.append((sample_id, slot.response_index))
            else:
                gained[taker].append(slot)
            if slot.participant != taker:
                moves.append(Move(sample_id, slot.response_index, slot.participant, taker))
    added = _append(questions, [*answered, *kept], gained, assignment, seed)
    order = sorted([*kept, *added], key=lambda one: (one.participant, one.position))
    return tuple(order), tuple(moves), tuple(unplaced)


def _slot(one: OpenSlot) -> Slot:
    return Slot(str(one.participant), one.sample_id, one.response_index, one.session, one.position)


def _append(
    questions: Sequence[Question],
    standing: Sequence[Slot],
    gained: Mapping[str, Sequence[OpenSlot]],
    assignment: AssignmentTable,
    seed: str,
) -> list[Slot]:
    """Set what each person gained behind what they have, filling their last session first."""
    known = {question.sample_id: question for question in questions}
    theirs = by_person(standing)
    added = []
    for person, slots in sorted(gained.items()):
        before = theirs.get(person, [])
        index_of = {slot.sample_id: slot.response_index for slot in slots}
        history = [known[slot.sample_id] for slot in before if slot.sample_id in known]
        placed = put_in_order(
            [known[sample_id] for sample_id in index_of], assignment, seed, person, before=history
        )
        session = before[-1].session if before else 1
        filled = sum(slot.session == session for slot in before)
        position = before[-1].position if before else 0
        for one in placed:
            if filled >= assignment.questions_per_session:
                session, filled = session + 1, 0
            filled, position = filled + 1, position + 1
            sample_id = one.question.sample_id
            added.append(Slot(person, sample_id, index_of[sample_id], session, position))
    return added
