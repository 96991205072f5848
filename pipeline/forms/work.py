"""Pages over 20 ms hold a slot of their organization (slots.py)."""

from collections.abc import Sequence

from pipeline.forms.markdown import written
from pipeline.http.core.request import Request
from pipeline.http.quotas.slots import PAGE, hold
from pipeline.interviews.controls import controls_on
from pipeline.interviews.marks import marks_of
from pipeline.validation import Values

# About 15 ms of CPU each: controls, and marks not yet rendered.
MOST_CONTROLS, MOST_MARKS = 600, 500
# A question costs this many controls.
AROUND = 4


def hold_page(
    request: Request, organization_id: int, template: Values, version_id: int, page: str, questions: Sequence[Values]
) -> None:
    """Holds a slot for a heavy page; raises 429. template: in its language; page: its name within the form."""
    pages, name = written(version_id).pages, f"{template['language']}.{page}"
    work = controls_on(questions) + AROUND * len(questions)
    if work > MOST_CONTROLS or (name not in pages and marks_of(template) > MOST_MARKS):
        hold(request, PAGE, organization_id)
    pages.add(name)
