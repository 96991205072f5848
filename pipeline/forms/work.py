"""How much work a hosted page is. What may take longer than 20 ms holds a slot of its organization (see slots.py)."""

from collections.abc import Sequence

from pipeline.forms.markdown import written
from pipeline.http.request import Request
from pipeline.http.slots import PAGE, hold
from pipeline.interviews.controls import controls_on
from pipeline.interviews.marks import marks_of
from pipeline.validation import Values

# About 15 ms of a processor each: controls, and marks of Markdown that are read for the first time.
MOST_CONTROLS, MOST_MARKS = 600, 500
# What surrounds the controls of a question takes as long as so many of them.
AROUND = 4


def hold_page(
    request: Request, organization_id: int, template: Values, version_id: int, page: str, questions: Sequence[Values]
) -> None:
    """Hold a slot where a page is much work; raises the 429 when there is none.

    template: the version in its language; page: what tells this page from the others of the form; questions: those
    that stand on it.
    """
    pages, name = written(version_id).pages, f"{template['language']}.{page}"
    work = controls_on(questions) + AROUND * len(questions)
    if work > MOST_CONTROLS or (name not in pages and marks_of(template) > MOST_MARKS):
        hold(request, PAGE, organization_id)
    pages.add(name)
