"""Every intervention a coordinator is offered, by its name in the address."""

from __future__ import annotations

from collections.abc import Mapping

from study_server.coordinator import interventions as do
from study_server.coordinator.interventions import Intervention

OFFERED: Mapping[str, Intervention] = {
    "pause": Intervention(
        "Pause the study",
        "Pause",
        "Nobody is shown a question until the study goes on. Nothing is lost.",
        do.pause,
    ),
    "resume": Intervention(
        "Let the study go on",
        "Go on",
        "Participants are shown their questions again.",
        do.resume,
    ),
    "close": Intervention(
        "Close the study",
        "Close the study",
        "No more answers count: whatever still arrives is kept aside, and everybody sees the "
        "thank-you page.",
        do.close,
        danger=True,
    ),
    "limits": Intervention(
        "Raise everyone’s limit",
        "Raise limits",
        "Nobody’s limit on how many questions they answer will be under this number. Answers that "
        "are assigned to nobody are then given to those who may take them, also to people who were "
        "released before: pause those who will not come back.",
        do.raise_limits,
        fields=(("limit", "Questions each person may answer", "number", True),),
    ),
    "invite": Intervention(
        "Invite everyone who has no link",
        "Make the links",
        "Everybody who takes part and has no personal link gets one. The links are shown once, "
        "with a file of them to download. Nobody’s link changes who has one.",
        do.invite_all,
    ),
    "replan": Intervention(
        "Re-plan open answers",
        "Re-plan",
        "Every unanswered slot that nobody holds is given to somebody who may take it. Answers and "
        "as many slots as possible stay where they are.",
        do.replan_open,
    ),
    "add": Intervention(
        "Add a participant",
        "Add participant",
        "They get an equal share of what is still open and a personal link, shown once.",
        do.add,
        fields=(
            ("pseudonym", "Pseudonym, never a name", "text", True),
            ("annotator_ids", "Annotator ids, separated by ; (bars their own keys)", "text", False),
            ("quota", "Limit (empty: the equal share)", "number", False),
        ),
    ),
    "freeze": Intervention(
        "Freeze the study",
        "Freeze",
        "Fixes sample, plan, instructions, vocabularies, scoring rules and analysis plan by "
        "digest. Later differences are shown as deviations, here and in the report.",
        do.freeze,
        rehearse=do.would_freeze,
    ),
    "link": Intervention(
        "Make a new link",
        "Make the link",
        "The new link is shown once. Every older link of this person ends at once.",
        do.make_link,
        about="participant",
    ),
    "unlink": Intervention(
        "Revoke the link",
        "Revoke",
        "This person’s link ends at once, open pages included. Their answers stay.",
        do.revoke_link,
        about="participant",
        danger=True,
    ),
    "pause-person": Intervention(
        "Pause a participant",
        "Pause",
        "They are shown no question until they may go on, and keep what they hold.",
        do.pause_person,
        about="participant",
    ),
    "resume-person": Intervention(
        "Let a participant go on",
        "Go on",
        "They are shown their questions again.",
        do.resume_person,
        about="participant",
    ),
    "let-through": Intervention(
        "Let a participant through practice",
        "Let through",
        "They begin the study without the mark that practice asks for, also after their last "
        "round. That is a deviation from a frozen plan.",
        do.let_through,
        about="participant",
    ),
    "end-practice": Intervention(
        "End a participant’s practice",
        "End practice",
        "They read that they cannot take part. They keep what they hold: release it afterwards, so "
        "that others answer it. They can still be let through.",
        do.end_practice,
        about="participant",
        danger=True,
    ),
    "quota": Intervention(
        "Change a participant’s limit",
        "Change the limit",
        "Open questions beyond the limit are given to others, if others may take them; their "
        "answers stay.",
        do.change_quota,
        about="participant",
        fields=(("quota", "Questions this person may answer", "number", True),),
    ),
    "release": Intervention(
        "Release a participant’s unanswered questions",
        "Release and re-plan",
        "Their answers stay; what they have not answered is given to others. Their limit becomes "
        "what they have answered: raise it if they come back.",
        do.release,
        about="participant",
        danger=True,
    ),
    "withdraw": Intervention(
        "Withdraw a participant",
        "Withdraw",
        "Their answers are kept as withdrawn, outside every analysis, and all their questions are "
        "given to others.",
        do.take_out,
        about="participant",
        danger=True,
    ),
    "erase": Intervention(
        "Withdraw and erase a participant",
        "Erase every answer",
        "Every answer and comment of this person is deleted for good, from the database’s files "
        "too; their questions are given to others. Only that they took part remains. Exports and "
        "backups made before hold them still: delete those.",
        do.erase_person,
        about="participant",
        danger=True,
    ),
    "replace": Intervention(
        "Replace a faulty question",
        "Replace",
        "The next question of its stratum’s reserve takes its place, with the same people. Answers "
        "to the faulty question are kept aside and never analysed.",
        do.replace,
        about="question",
        danger=True,
    ),
    "resolve": Intervention(
        "Close a reported problem",
        "Close the problem",
        "The problem leaves the list; the log keeps it.",
        do.resolve,
        about="problem",
    ),
}
