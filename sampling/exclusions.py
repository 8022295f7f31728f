"""Exclusions: nobody answers a question whose key they had a part in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sampling.annotators import Annotation
from sampling.image_names import composed
from sampling.participants import Participant, same_identity
from sampling.questions import Question


def excluded_pairs(
    participants: Sequence[Participant],
    annotations: Sequence[Annotation],
    questions: Sequence[Question],
    roles: tuple[str, ...] | None,
    scope: str,
    annotated_images: Mapping[str, str],
) -> frozenset[tuple[str, str]]:
    """Find who may not answer what.

    Parameters
    ----------
    participants : sequence of Participant
        A participant is an annotator by any of their `annotator_ids`, or by their pseudonym.
    annotations : sequence of Annotation
        Parts in keys, of questions inside and outside the sample.
    questions : sequence of Question
        The questions that will be asked.
    roles : tuple of str or None
        The roles that bar a person; None means every role.
    scope : str
        `question` bars the question itself, `image` every question on the same image.
    annotated_images : mapping of str to str
        The image of each annotated question (`sample_id` to `image_name`), for the scope `image`.

    Returns
    -------
    frozenset of (pseudonym, sample_id)
        Only for questions given; empty without annotations.

    Examples
    --------
    >>> people = [Participant("P01", frozenset({"A01"}))]
    >>> asked = [Question("q1", "a.jpg", "c", "?"), Question("q2", "a.jpg", "c", "?")]
    >>> sorted(excluded_pairs(people, [Annotation("q1", "a01", "author")], asked, None, "image",
    ...                       {"q1": "a.jpg"}))
    [('P01', 'q1'), ('P01', 'q2')]
    """
    barring = None if roles is None else {role.casefold() for role in roles}
    pseudonyms: dict[str, set[str]] = defaultdict(set)
    for person in participants:
        for name in (person.pseudonym, *person.annotator_ids):
            pseudonyms[same_identity(name)].add(person.pseudonym)
    by_image: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        by_image[composed(question.image_name)].append(question.sample_id)
    asked = {composed(question.sample_id): question for question in questions}
    images = {composed(sample_id): name for sample_id, name in annotated_images.items()}
    pairs: set[tuple[str, str]] = set()
    for annotation in annotations:
        people = pseudonyms.get(same_identity(annotation.annotator))
        if not people or (barring is not None and annotation.role.casefold() not in barring):
            continue
        name = composed(annotation.sample_id)
        barred = [asked[name].sample_id] if name in asked else []
        if scope == "image":
            image = images.get(name, asked[name].image_name if name in asked else None)
            barred = [*barred, *by_image.get(composed(image), [])] if image is not None else barred
        pairs.update((person, sample_id) for person in people for sample_id in barred)
    return frozenset(pairs)
