"""The questions a reviewer asks of a human baseline, and the key under which each is declared.

After the reporting checklist of Wei et al. (2025), "Recommendations and reporting checklist for
rigorous and transparent human baselines in model evaluations" (arXiv 2506.13776), in our words.
"""

from __future__ import annotations

from dataclasses import dataclass

from sampling.study.errors import StudyError, did_you_mean


@dataclass(frozen=True)
class ChecklistItem:
    """One question: its number in the checklist, the key in `[checklist]`, and its wording."""

    number: str
    key: str
    question: str


SECTIONS = {
    "0": "The evaluation",
    "1": "Design",
    "2": "People",
    "3": "Execution",
    "4": "Analysis",
    "5": "Documentation",
}

ITEMS = tuple(
    ChecklistItem(*row)
    for row in (
        ("0.1", "title", "What is the title of the work?"),
        ("0.2", "link", "Where can it be found?"),
        ("0.3", "year", "When did it appear?"),
        ("0.4", "venue", "Where did it appear?"),
        ("0.5", "evaluation_kind", "What kind of evaluation is it?"),
        ("0.6", "modality", "In what mode are the questions put?"),
        ("0.7", "language", "In what language are the questions put?"),
        ("0.8", "dataset_size", "How many questions does the whole benchmark hold?"),
        ("0.9", "model_set_size", "How many questions were put to the models?"),
        ("0.10", "model_samples", "How many answers were taken from a model per question?"),
        ("1.1", "participants", "How many people took part?"),
        ("1.2", "human_set_size", "How many questions were put to people?"),
        ("1.2.1", "sampling_method", "How were these questions chosen?"),
        ("1.3", "responses_per_question", "How many people answered each question?"),
        ("1.4", "questions_per_participant", "How many questions did each person answer?"),
        ("1.5", "instrument_adapted", "Was the instrument adapted so that neither side gains?"),
        ("1.6", "iterative_design", "Was the instrument piloted and revised?"),
        ("1.7", "effort_controlled", "Was effort made comparable on both sides?"),
        ("1.8", "power_analysis", "Was power worked out before collecting?"),
        ("1.8.1", "detectable_gap", "What gap could the design detect?"),
        ("1.9", "ethics_review", "Was the study reviewed by an ethics board?"),
        ("1.10", "preregistration", "Were design and analysis fixed before the first answer?"),
        ("2.1", "population", "For which people do the results speak?"),
        ("2.1.1", "population_criteria", "By which criteria were these people defined?"),
        ("2.2", "recruitment", "How were people found?"),
        ("2.3", "screening", "Was there quality control when people were admitted?"),
        ("2.3.1", "screening_criteria", "By which criteria?"),
        ("2.3.2", "screening_excluded", "How many were turned away?"),
        ("2.4", "authors_as_participants", "Were authors or their team among the participants?"),
        ("2.5", "prior_exposure", "Were people kept from questions they had seen before?"),
        ("2.6", "training", "Were people trained?"),
        ("2.6.1", "training_kind", "How?"),
        ("2.6.2", "training_paid", "Were they paid for it?"),
        ("2.6.2a", "training_pay_amount", "How much?"),
        ("2.7", "paid", "Were people paid for answering?"),
        ("2.7.1", "pay_amount", "How much?"),
        ("2.7.2", "pay_bonus", "Was there a bonus, and by which rule?"),
        ("2.7.3", "pay_same_for_all", "Was everybody paid alike?"),
        ("2.7.3a", "pay_difference_reason", "If not, why?"),
        ("3.1", "instrument_length", "How many questions did a person see in one sitting?"),
        ("3.1.1", "order_randomised", "Was the order of questions randomised?"),
        ("3.2", "execution_quality", "Was there quality control while people answered?"),
        ("3.2.1", "execution_criteria", "By which criteria?"),
        ("3.2.2", "execution_excluded", "How many people or answers were left out?"),
        ("3.3", "same_interface", "Did people and models work through the same interface?"),
        ("3.3.1", "interface_difference", "What differed?"),
        ("3.3.2", "interface_adjusted", "Was the difference allowed for?"),
        ("3.4", "same_instructions", "Did people and models get the same instructions?"),
        ("3.4.1", "instructions_adjusted", "What was adjusted?"),
        ("3.5", "same_tools", "Did people and models have the same tools?"),
        ("3.5.1", "tools_enforced", "How was that enforced?"),
        ("3.6", "explanations", "Were explanations of answers collected?"),
        ("4.1", "significance_test", "Was the difference tested?"),
        ("4.1.1", "test_used", "By which test?"),
        ("4.2", "uncertainty", "Is uncertainty shown?"),
        ("4.2.1", "uncertainty_form", "As a single number, an interval or a distribution?"),
        ("4.3", "same_metric", "Is the metric the same on both sides?"),
        ("4.4", "same_rubric", "Is the rubric the same on both sides?"),
        ("4.5", "same_scoring", "Is the way of scoring the same on both sides?"),
        ("4.6", "robustness", "Do the results hold under other choices of exclusion?"),
        ("5.1.1", "demographics", "Who were the people?"),
        ("5.1.2", "instructions_published", "Are the instructions published?"),
        ("5.1.3", "time_to_complete", "How long did answering take?"),
        ("5.1.4", "ai_tools", "Which AI tools, in which versions, could people use?"),
        ("5.1.5", "completion_rate", "What share of the planned answers was given?"),
        ("5.2", "data_available", "Are the responses available?"),
        ("5.2.1", "data_per_participant", "For each participant?"),
        ("5.2.2", "data_withheld_reason", "If not, why?"),
        ("5.3", "materials_available", "Are the materials available?"),
        ("5.4", "code_available", "Is the code available?"),
    )
)


def check_declared_keys(declared: dict[str, object], name: str = "study.toml") -> None:
    """Refuse keys of `[checklist]` that nobody knows, naming the nearest known one."""
    known = [item.key for item in ITEMS]
    listed = f" (known: {', '.join(known)})"
    unknown = [key for key in declared if key not in known]
    if unknown:
        raise StudyError(
            *(
                f"{name} [checklist]: unknown key {key!r}{did_you_mean(key, known) or listed}"
                for key in unknown
            )
        )
