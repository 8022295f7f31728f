"""Simulated participants at work: each follows a personal link and fills in page after page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass

from sampling.study.errors import StudyError
from study_server.demonstration.browsing import Browser, Form, Page

# A person clicks through this many pages between two questions at most.
MOST_PAGES_BETWEEN = 20
TICKED = {"radio", "checkbox"}


@dataclass(frozen=True)
class Intention:
    """What a person will be asked next, and what they will say."""

    sample_id: str
    question_en: str
    answer: tuple[str, ...]


class Allowance:
    """How many more answers may be given, by all people together."""

    def __init__(self, answers: int) -> None:
        self._left = answers
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take one answer's turn; tell whether there was one."""
        with self._lock:
            if self._left <= 0:
                return False
            self._left -= 1
            return True

    def close(self) -> None:
        """Let everybody stop after the page they are at."""
        with self._lock:
            self._left = 0


def answer_all(
    links: Mapping[str, str],
    intentions: Mapping[str, Sequence[Intention]],
    allowance: Allowance,
    answered: Callable[[], None],
) -> None:
    """Let every person work through their questions at the same time.

    Parameters
    ----------
    links
        Each person's personal link, by pseudonym.
    intentions
        What each person is asked, in order, and will say.
    allowance
        When all are to stop.
    answered
        Called after every answer the server has acknowledged.
    """
    with ThreadPoolExecutor(max_workers=len(links)) as people:
        at_work = [
            people.submit(answer_as, link, intentions[pseudonym], allowance, answered)
            for pseudonym, link in sorted(links.items())
        ]
        try:
            done, _ = wait(at_work, return_when=FIRST_EXCEPTION)
            for person in done:
                person.result()
        finally:
            allowance.close()


def answer_as(
    link: str,
    intentions: Sequence[Intention],
    allowance: Allowance,
    answered: Callable[[], None],
) -> None:
    """Open a link and answer until nothing is left, or no more answers are allowed."""
    browser = Browser()
    page = _go_on(browser, browser.open(link))
    for intention in intentions:
        if not allowance.take():
            return
        form = _question_form(page)
        if form is None:
            raise StudyError(f"the server shows no question where {intention.sample_id} is due")
        _check_expected(page, form, intention)
        for image in page.images:
            browser.fetch(image)
        page = browser.submit(page, form, [("answer", value) for value in intention.answer])
        if page.status >= 400:
            raise StudyError(
                f"the server refused the answer to {intention.sample_id}: {page.text[:200]}"
            )
        answered()
        page = _go_on(browser, page)


def _question_form(page: Page) -> Form | None:
    """Find the form of a question of the sample: it has an answer and names its slot."""
    for form in page.forms:
        if form.named("answer") and form.named("slot") and not _is_practice(form):
            return form
    return None


def _is_practice(form: Form) -> bool:
    return form.action.rstrip("/").endswith("practice")


def _go_on(browser: Browser, page: Page) -> Page:
    """Click through consent, instructions, practice and pauses until a question, or the end."""
    for _ in range(MOST_PAGES_BETWEEN):
        if page.status >= 400:
            raise StudyError(f"{page.address} answers {page.status}: {page.text[:200]}")
        if _question_form(page) is not None:
            return page
        form = _next_form(page)
        if form is not None:
            filled = _practise(form) if _is_practice(form) else _agree(form)
            page = browser.submit(page, form, filled)
        elif "/practice/" in page.address and page.links:
            page = browser.open(page.links[-1][0])
        else:
            return page
    raise StudyError(f"{page.address} leads round in a circle")


def _next_form(page: Page) -> Form | None:
    """Find the form that leads on."""
    posts = [form for form in page.forms if form.method == "post"]
    return posts[0] if posts else None


def _practise(form: Form) -> list[tuple[str, str]]:
    """Answer a practice question with whatever comes first: the feedback is what matters."""
    first = form.named("answer")[0]
    return [("answer", first.value if first.kind in TICKED else "5")]


def _agree(form: Form) -> list[tuple[str, str]]:
    """Tick what must be ticked, and press the first button."""
    filled = [
        (control.name, control.value)
        for control in form.controls
        if control.kind == "checkbox" and control.required
    ]
    buttons = [c for c in form.controls if c.kind == "submit" and c.name]
    return filled + [(button.name, button.value) for button in buttons[:1]]


def _check_expected(page: Page, form: Form, intention: Intention) -> None:
    """Make sure that the page asks what the plan says, with the answer among its options."""
    if " ".join(intention.question_en.split()) not in page.text:
        raise StudyError(f"the page does not ask the question of {intention.sample_id}")
    options = {control.value for control in form.named("answer") if control.kind in TICKED}
    missing = [value for value in intention.answer if options and value not in options]
    if missing:
        raise StudyError(f"the page of {intention.sample_id} does not offer {missing}")
