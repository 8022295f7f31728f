"""What the agreement of one category is: its answers, coefficients, and the columns they have."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.agreement.answer_table import AnswerTable
from analysis.agreement.bootstrap import BootstrappedAgreement
from analysis.agreement.by_format import Declared
from sampling.answers.vocabularies import AnswerFormat

OVERALL = "overall"
SHARES = (
    "exact_agreement",
    "exact_agreement_by_pair",
    "within_one",
    "positive_agreement",
    "negative_agreement",
    "pairwise_f1",
    "text_similarity",
)
COLUMNS = (
    "exact_low",
    "exact_high",
    "exact_by_question",
    "exact_by_pair",
    "n_invalid",
    "within_one",
    "mean_absolute_difference",
    "pairwise_f1",
    "positive_agreement",
    "negative_agreement",
    "text_similarity",
    "similarity_low",
    "similarity_high",
    "alpha_distance",
    "alpha",
    "alpha_low",
    "alpha_high",
    "alpha_by_package",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_masi",
    "icc",
    "fleiss_kappa",
    "ac1",
    "ac1_low",
    "ac1_high",
    "ac2",
    "brennan_prediger",
    "label_alpha_macro",
    "label_alpha_micro",
    "label_ac1_macro",
    "label_ac1_micro",
    "vocabulary_size",
    "alpha_defined",
    "reason",
)
# Coefficients whose limits `agreement.csv` has, and what the columns begin with.
LIMITED = {
    "exact_agreement": "exact",
    "text_similarity": "similarity",
    "alpha": "alpha",
    "ac1": "ac1",
}
COEFFICIENT_COLUMNS = ("category", "coefficient", "value", "low", "high", "n_questions", "reason")


@dataclass(frozen=True)
class CategoryTable:
    """One category's answers, its vocabulary and its bootstrapped coefficients."""

    category: str
    answer_format: AnswerFormat
    declared: Declared
    table: AnswerTable
    found: BootstrappedAgreement
