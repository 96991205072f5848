"""The trial of a template: Redis keeps its answers for an hour."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from pipeline.database import Row, dumps, loads
from pipeline.forms import flash
from pipeline.forms.captures import CaptureDraft
from pipeline.forms.visit import PreviewVisit, stored_under
from pipeline.http.endpoints.uploads import Upload
from pipeline.http.quotas import limits
from pipeline.interviews import capture_service
from pipeline.interviews.conditions import Answers
from pipeline.validation.errors import Problem


class PreviewDraft(CaptureDraft):
    """The answers of a preview; the database stores none."""

    is_preview = True
    visit: PreviewVisit

    def _open(self) -> int:
        self.api, self.store = "", f"preview-{stored_under(self.visit.request.matchdict['signed'])}"
        return capture_service.open_preview(self.visit.preview)

    def _stored_draft(self) -> Row | None:
        body = flash.find(self.visit.request, self.token)
        return None if body is None else loads(body)

    def _store(self, given: Answers, cleared: list[str]) -> None:
        if not self.is_stored:
            limits.count_request(self.visit.request, limits.FORM_DRAFTS)
        self._remember()

    def _remember(self, submitted: bool = False) -> None:
        body = dumps({"answers": self.answers, "agreed": self.agreed, "submitted": submitted})
        if not flash.put(self.visit.request, self.token, body, limits.HOUR):
            raise Problem("unavailable")

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
        """Redirects to the thank-you."""
        self._remember(submitted=True)
        return self.visit.redirect()
