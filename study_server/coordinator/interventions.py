"""What a coordinator can do to a running study: each with its words and what it changes.

Which questions somebody who joins may not answer, by the benchmark's list of annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask import url_for
from sqlalchemy.orm import Session

from sampling.assignment.inputs import find_excluded
from sampling.assignment.roster import Participant
from sampling.benchmark.question_files import read_questions
from sampling.draw.manifest import manifest_strata, read_manifest
from sampling.draw.reserve import next_in_rank
from sampling.plan.replan import Replan
from sampling.record.freeze import read_freeze
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.coordinator.forecast import lowest_limit, without
from study_server.coordinator.frozen import freeze_study, new_freeze, study_folder
from study_server.folder.inviting import invite
from study_server.store.answering.withdrawal import erase, withdraw
from study_server.store.asking.participants import find_participant
from study_server.store.assigning.run_state import load_run_state
from study_server.store.steering import coordination as change
from study_server.store.steering.coordination import Decision
from study_server.store.steering.replacement import (
    replace_question,
    replaced_questions,
    reserve_of,
    sampled_questions,
)
from study_server.store.steering.replanning import release_and_replan, replan_study
from study_server.web.configuration import RunningStudy, running_study


def excluded_questions(study: RunningStudy, pseudonym: str, annotator_ids: str) -> frozenset[str]:
    """Find the questions, of the sample and its reserve, whose keys this person had a part in.

    `annotator_ids` are separated by `;`. Without the study's folder nobody can tell, so that a
    person with annotator ids is refused.
    """
    names = frozenset(name.strip() for name in annotator_ids.split(";") if name.strip())
    folder = study_folder(study)
    if folder is None:
        if names:
            raise StudyError(
                "the study's folder is not on this machine, so exclusions cannot be looked up; "
                "add the person to participants.csv and start the server again"
            )
        return frozenset()
    files = (folder.questions_file, folder.reserve_file)
    questions = tuple(one for file in files if file.exists() for one in read_questions(file))
    person = Participant(pseudonym.strip(), names)
    return frozenset(sample_id for _, sample_id in find_excluded(folder, questions, (person,)))


Form = Mapping[str, str]


@dataclass(frozen=True)
class Done:
    """What was done, in a sentence; the personal links it made, by pseudonym, to be shown once.

    `would` says the same of something that is only tried.
    """

    message: str
    links: tuple[tuple[str, str], ...] = ()
    would: str = ""


@dataclass(frozen=True)
class Intervention:
    """One thing a coordinator can do.

    `about` is what it is done to: `study`, `participant`, `question` or `problem`. `fields` are
    asked for first: (name, label, kind, required). What it would do is shown by doing it and
    taking that back, or by `rehearse` where something would stay.
    """

    title: str
    button: str
    explanation: str
    apply: Callable[[Session, Form, Decision], Done]
    about: str = "study"
    danger: bool = False
    fields: tuple[tuple[str, str, str, bool], ...] = field(default=())
    rehearse: Callable[[Session, Form, Decision], Done] | None = None


class NoTakerError(StudyError):
    """What somebody gives up could be given to nobody.

    `limit` is what everybody's limit would have to be, or None where only more people would help.
    """

    def __init__(self, answers: str, limit: int | None) -> None:
        remedy = "add a participant" if limit is None else f"raise everyone's limit to {limit}"
        super().__init__(
            f"{answers} could be given to nobody, so nothing was changed: {remedy} first"
        )
        self.limit = limit


def pause(session: Session, form: Form, decision: Decision) -> Done:
    _changed(change.set_study_state(session, "paused", decision), "the study is paused already")
    return Done(
        "The study is paused: nobody is shown a question until it goes on.",
        would="The study will be paused: nobody will be shown a question until it goes on.",
    )


def resume(session: Session, form: Form, decision: Decision) -> Done:
    _changed(change.set_study_state(session, "open", decision), "the study goes on already")
    return Done("The study goes on.", would="The study will go on.")


def close(session: Session, form: Form, decision: Decision) -> Done:
    state = load_run_state(session)
    missing = f" with {state.missing}" if state.needs else ", and everything is answered"
    _changed(change.set_study_state(session, "closed", decision), "the study is closed already")
    early = " That is a deviation from a frozen plan." if state.needs else ""
    return Done(
        f"The study is closed{missing}; later answers are kept aside.",
        would=f"The study will be closed{missing}; later answers will be kept aside.{early}",
    )


def raise_limits(session: Session, form: Form, decision: Decision) -> Done:
    limit = _number(form, "limit")
    raised = change.raise_limits(session, limit, decision)
    _changed(raised > 0, f"everybody may answer {limit} questions already, so nothing would change")
    moved, will_move = _fill(session, decision)
    people = "1 person" if raised == 1 else f"{raised} people"
    return Done(
        f"{people} may now answer up to {limit} questions.{moved}",
        would=f"{people} will be able to answer up to {limit} questions.{will_move}",
    )


def replan_open(session: Session, form: Form, decision: Decision) -> Done:
    state = load_run_state(session)
    _changed(
        not state.open_mode, "nothing is planned in open mode: who comes is given what is open"
    )
    free = state.free_answers
    found = replan_study(session, decision)
    placed = free - len(found.unplaced)
    moved = _slots(found)
    _changed(bool(found.moves) or placed > 0, "no open answer can be given to anybody else")
    left = len(found.unplaced)
    return Done(
        f"{moved} were given to somebody." + (f" {left} could be given to nobody." if left else ""),
        would=f"{moved} will be given to somebody."
        + (f" {left} can be given to nobody." if left else ""),
    )


def freeze(session: Session, form: Form, decision: Decision) -> Done:
    digest = freeze_study(session, _folder_to_freeze(), decision, with_keys=False)
    return Done(f"The study is frozen. Digest {digest[:16]}…")


def would_freeze(session: Session, form: Form, decision: Decision) -> Done:
    """Say what a freeze would fix; it writes a file, so that it cannot be taken back."""
    folder = _folder_to_freeze()
    made = new_freeze(session, folder, decision, with_keys=False)
    items = sum(len(part) for part in made.parts.values())
    earlier = read_freeze(folder.freeze_file)
    again = "" if earlier is None else f" It will replace the freeze of {earlier.frozen_at[:10]}."
    late = made.answers_before
    answers = "1 answer has" if late == 1 else f"{late} answers have"
    told = f" {answers} come in already, which is a deviation." if late else ""
    return Done(
        "",
        would=f"{items} files and settings will be fixed ({', '.join(sorted(made.parts))}), with "
        f"digest {made.digest[:16]}…{again}{told}",
    )


def _folder_to_freeze() -> StudyFolder:
    folder = study_folder(running_study())
    if folder is None:
        raise StudyError("the study's folder is not on this machine; run `lontar freeze` there")
    return folder


def add(session: Session, form: Form, decision: Decision) -> Done:
    pseudonym = form.get("pseudonym", "")
    quota = _number(form, "quota") if form.get("quota", "").strip() else None
    excluded = excluded_questions(running_study(), pseudonym, form.get("annotator_ids", ""))
    asked = sampled_questions(session)
    change.add_person(session, pseudonym, quota, excluded, decision)
    found = replan_study(session, decision, level=True)
    name = pseudonym.strip()
    link = _address(change.new_link(session, name, decision))
    barred = len(asked & excluded)
    text = f"{name} takes part, barred from {barred} questions of the sample"
    will = f"{name} will take part, barred from {barred} questions of the sample"
    return Done(
        f"{text}; {_moved(found)}.",
        ((name, link),),
        f"{will}, with a personal link; {_will_move(found)}.",
    )


def invite_all(session: Session, form: Form, decision: Decision) -> Done:
    made = invite(session, (), False, decision.at, decision.actor, decision.reason)
    if not made:
        raise StudyError("everyone who takes part has a link")
    people = "1 person" if len(made) == 1 else f"{len(made)} people"
    links = tuple((one.pseudonym, _address(one.token)) for one in made)
    names = ", ".join(name for name, _ in links)
    return Done(
        f"{people} without a link get one: {names}.",
        links,
        f"{people} without a link will get one: {names}.",
    )


def make_link(session: Session, form: Form, decision: Decision) -> Done:
    token = change.new_link(session, form["participant"], decision)
    links = ((form["participant"], _address(token)),)
    return Done(
        "A new link; every older one has ended.",
        links,
        f"{form['participant']} will get a new link; every older one will end.",
    )


def revoke_link(session: Session, form: Form, decision: Decision) -> Done:
    name = form["participant"]
    _changed(change.end_links(session, name, decision), f"{name} has no link that works")
    return Done(
        f"{name} has no link that works any more.", would=f"{name} will have no link that works."
    )


def pause_person(session: Session, form: Form, decision: Decision) -> Done:
    name = form["participant"]
    done = change.set_person_paused(session, name, decision, paused=True)
    _changed(done, f"{name} is paused already")
    return Done(
        f"{name} is paused and keeps what they hold.",
        would=f"{name} will be paused and keep what they hold.",
    )


def resume_person(session: Session, form: Form, decision: Decision) -> Done:
    name = form["participant"]
    done = change.set_person_paused(session, name, decision, paused=False)
    _changed(done, f"{name} is not paused")
    return Done(f"{name} may go on.", would=f"{name} will be able to go on.")


def let_through(session: Session, form: Form, decision: Decision) -> Done:
    name = form["participant"]
    _practises()
    done = change.let_person_through(session, name, decision)
    _changed(done, f"{name} has passed practice already")
    return Done(
        f"{name} may begin the study, whatever practice was.",
        would=f"{name} will be able to begin the study, whatever practice was.",
    )


def end_practice(session: Session, form: Form, decision: Decision) -> Done:
    name = form["participant"]
    _practises()
    done = change.end_practice_of(session, name, decision)
    _changed(done, f"{name} has passed practice, or it has ended already")
    return Done(
        f"{name} cannot take part any more, and keeps what they hold until it is released.",
        would=f"{name} will read that they cannot take part, and keep what they hold until it is "
        "released.",
    )


def _practises() -> None:
    if not running_study().settings.get("practice"):
        raise StudyError("this study has no practice")


def change_quota(session: Session, form: Form, decision: Decision) -> Done:
    """Change a person's limit and give what is above it to others, or change nothing at all."""
    person, quota = change.present_person(session, form["participant"]), _number(form, "quota")
    free = load_run_state(session).free_answers
    done = change.set_quota(session, person.pseudonym, quota, decision)
    _changed(done, f"{person.pseudonym} has this limit already")
    found = replan_study(session, decision)
    more = len(found.unplaced) - free
    if more > 0:
        what = "1 answer" if more == 1 else f"{more} answers"
        state = load_run_state(session)
        raise NoTakerError(f"{what} above the limit", lowest_limit(state, person.pseudonym))
    return Done(
        f"{person.pseudonym} answers up to {quota} questions; {_moved(found)}.",
        would=f"{person.pseudonym} will answer up to {quota} questions; {_will_move(found)}.",
    )


def release(session: Session, form: Form, decision: Decision) -> Done:
    """Take a person's unanswered slots and give them to others, or change nothing at all."""
    person = change.present_person(session, form["participant"])
    free = load_run_state(session).free_answers
    count, found = release_and_replan(session, person.pseudonym, decision)
    more = len(found.unplaced) - free
    if more > 0:
        limit = lowest_limit(without(load_run_state(session), person.pseudonym))
        raise NoTakerError(f"{more} of the {count} answers {person.pseudonym} holds", limit)
    return Done(
        f"{count} slots of {person.pseudonym} were released; {_moved(found)}.",
        would=f"{count} slots of {person.pseudonym} will be released; {_will_move(found)}.",
    )


def take_out(session: Session, form: Form, decision: Decision) -> Done:
    person = change.present_person(session, form["participant"])
    withdraw(session, person.id, decision.at, decision.actor, decision.reason)
    found = replan_study(session, decision)
    return Done(
        f"{person.pseudonym} has left; their answers are kept aside; {_moved(found)}.",
        would=f"{person.pseudonym} will leave; their answers will be kept aside; "
        f"{_will_move(found)}.",
    )


def erase_person(session: Session, form: Form, decision: Decision) -> Done:
    person = find_participant(session, form["participant"])
    if person is None or person.preview:
        raise StudyError(f"participant {form['participant']!r}: not known")
    erase(session, person.id, decision.at, decision.actor, decision.reason)
    found = replan_study(session, decision)
    return Done(
        f"Every answer of {person.pseudonym} is erased; {_moved(found)}.",
        would=f"Every answer of {person.pseudonym} will be erased; {_will_move(found)}.",
    )


def replace(session: Session, form: Form, decision: Decision) -> Done:
    faulty = form["question"]
    new = _replacement(session, faulty)
    replace_question(session, faulty, new, decision)
    found = replan_study(session, decision)
    return Done(
        f"{faulty} is replaced by {new}; {_moved(found)}.",
        would=f"{faulty} will be replaced by {new}; {_will_move(found)}.",
    )


def resolve(session: Session, form: Form, decision: Decision) -> Done:
    done = change.resolve_problem(session, _number(form, "problem"), decision)
    _changed(done, "this problem is closed already, or there is none of this number")
    return Done("The problem is closed.", would="The problem will be closed.")


def _replacement(session: Session, faulty: str) -> str:
    """Name the next in rank of the stratum, by the manifest where there is one."""
    reserve = reserve_of(session, faulty)
    folder = study_folder(running_study())
    manifest = None if folder is None else read_manifest(folder.manifest_file)
    if manifest is not None:
        gone = replaced_questions(session) | sampled_questions(session)
        strata = _as_sampled(session, manifest_strata(manifest))
        return next_in_rank(strata, faulty, gone)
    if not reserve:
        raise StudyError(
            f"{faulty}: no question of its collection and category is left in the reserve"
        )
    return reserve[0]


def _as_sampled(session: Session, strata: tuple) -> tuple:  # type: ignore[type-arg]
    """Count what the run has replaced already among what its stratum drew."""
    sampled = sampled_questions(session)
    return tuple(
        one._replace(
            drawn=(*one.drawn, *(other for other in one.following if other in sampled)),
        )
        for one in strata
    )


def _changed(changed: bool, why_not: str) -> None:
    """Refuse what would change nothing, so that the log never tells of it."""
    if not changed:
        raise StudyError(why_not)


def _fill(session: Session, decision: Decision) -> tuple[str, str]:
    """Re-plan if answers wait for somebody to be given to; say what changed, and what would."""
    if not load_run_state(session).free:
        return "", ""
    found = replan_study(session, decision)
    return f" {_moved(found).capitalize()}.", f" {_will_move(found).capitalize()}."


def _moved(found: Replan) -> str:
    text = f"{_slots(found)} changed hands"
    return f"{text} and {len(found.unplaced)} are with nobody" if found.unplaced else text


def _will_move(found: Replan) -> str:
    text = f"{_slots(found)} will change hands"
    return f"{text} and {len(found.unplaced)} will be with nobody" if found.unplaced else text


def _slots(found: Replan) -> str:
    return "1 unanswered slot" if len(found.moves) == 1 else f"{len(found.moves)} unanswered slots"


def _number(form: Form, name: str) -> int:
    try:
        number = int(form.get(name, ""))
    except ValueError:
        raise StudyError(f"{name}: write a whole number") from None
    if not 0 <= number <= 1_000_000:
        raise StudyError(f"{name}: write a number from 0 to 1,000,000")
    return number


def _address(token: str) -> str:
    """Give a link as participants reach the server: by `[server] url` where the study has one."""
    base = running_study().settings["server"]["url"]
    if base:
        return f"{base.rstrip('/')}/p/{token}"
    return url_for("participant.personal_link", token=token, _external=True)
