"""The trial of a template: its answers are in the address, or in the page."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import quote

from pyramid.response import Response

from pipeline.database import Database, Row, dumps
from pipeline.errors import Problem
from pipeline.forms import pages
from pipeline.forms.drafts import CaptureDraft, InterviewDraft
from pipeline.forms.visit import is_own, stored_under
from pipeline.http.ingress import parse_json
from pipeline.http.signed_links import read_preview
from pipeline.http.uploads import Upload
from pipeline.interviews import capture_service
from pipeline.interviews.values import Answers
from pipeline.validation import Invalid, Values

# Limit of file ids and sizes.
MAX_NUMBER = 2**53
# Characters of answers in an address.
LONGEST_STATE = 6000


class PreviewDraft(CaptureDraft):
    """The answers of a preview, stored nowhere."""

    is_preview = True

    def _opening(self) -> Callable[[], int]:
        signed = self.visit.request.matchdict["signed"]
        self.api, self.store = "", f"preview-{stored_under(signed)}"
        self.preview = read_preview(self.visit.request.registry.pipeline, signed)
        return functools.partial(capture_service.open_preview, self.preview)

    def _pool(self) -> Database:
        return self.visit.request.registry.forms.of(self.preview.organization_id)

    def _kept(self) -> Row:
        request = self.visit.request
        given = self.visit.fields if request.method == "POST" else request.GET if is_own(request) else {}
        try:
            carried = parse_json(given.get("_state", "{}").encode())
        except (Problem, Invalid):
            carried = {}
        answers = carried if isinstance(carried, dict) else {}
        return {"answers": answers, "agreed": given.get("_agreed", ""), "submitted": False}

    @property
    def hidden(self) -> dict[str, str]:
        return {**super().hidden, "_state": dumps(self.answers).decode()}

    @property
    def has_address(self) -> bool:
        """Whether the answers fit into an address."""
        return len(quote(self.hidden["_state"])) <= LONGEST_STATE

    def _store(self, given: Answers, cleared: list[str]) -> None:
        """Stores nothing."""

    def show(
        self, step: str, fragment: str | None = None, more: bool = False, back_to: str = "", **marks: str
    ) -> Response:
        """Redirects to a step, or returns it."""
        if self.has_address:
            return super().show(step, fragment, more, back_to, **self.hidden, **marks)
        return pages.step_or_review(self, step, more=more, back_to=back_to)

    def speaking(self, language: str) -> Self:
        """Returns a copy in another language."""
        super().speaking(language)
        other = type(self)(self.visit)
        other.save(self.answers)
        return other

    def _sound(self, carried: Values) -> Answers:
        """Accepts file names too; only the sender sees forged ones."""
        asked = [question["key"] for question in self.form.template["questions"] if question["type"] == "file"]
        return super()._sound(carried) | {key: carried[key] for key in asked if _are_files(carried.get(key))}

    def add_file(self, key: str, upload: Upload) -> None:
        """Keeps name and size, not the content."""
        kept: Any = self.answers.get(key, [])
        id = max((file["id"] for file in kept), default=0) + 1
        self.save({key: [*kept, {"id": id, "filename": upload.filename[:255], "size": upload.size}]})

    def remove_file(self, id: int) -> None:
        """Removes a file; ids are unique only within a question."""
        key = self.visit.fields.get("_go").split(":")[1]
        kept: Any = self.answers.get(key, [])
        self.save({key: [file for file in kept if file["id"] != id]})

    def submit(self) -> Response:
        """Redirects to the thank-you, or returns it."""
        if self.has_address:
            return self.visit.redirect(_sent="1", **self.hidden)
        return pages.done(self, "done")


def _are_files(answer: object) -> bool:
    kinds = {"id": int, "filename": str, "size": int}
    return isinstance(answer, list) and all(
        isinstance(file, dict)
        and {name: type(value) for name, value in file.items()} == kinds
        and max(file["id"], file["size"], -file["size"]) < MAX_NUMBER
        for file in answer
    )


# Drafts that accept files.
FileDraft = InterviewDraft | PreviewDraft
