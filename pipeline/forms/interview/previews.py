"""The trial of a template: Redis keeps its answers for an hour."""

from __future__ import annotations

from typing import Any

import redis
from pyramid.response import Response

from pipeline.api.uploads import Upload
from pipeline.database import Row, dumps, loads
from pipeline.forms.interview.captures import CaptureDraft
from pipeline.forms.page.visit import stored_under
from pipeline.http.fairness.limits import FORM_DRAFTS, HOUR, count_request
from pipeline.interviews.public import capture_service
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation.errors import Problem


class PreviewDraft(CaptureDraft):
    """The answers of a preview; the database stores none."""

    is_preview = True

    def _open(self) -> int:
        self.api, self.store = "", f"preview-{stored_under(self.visit.request.matchdict['signed'])}"
        return capture_service.open_preview(self.visit.signed)

    def _stored_draft(self) -> Row | None:
        limits = self.visit.request.registry.limits
        if limits.redis is None or limits.away:
            return None
        try:
            body: Any = limits.redis.get(self._key)
        except redis.RedisError:
            return None
        return None if body is None else loads(body)

    def _store(self, given: Answers, cleared: list[str]) -> None:
        if not self.is_stored:
            count_request(self.visit.request, FORM_DRAFTS)
        self._remember()

    def _remember(self, submitted: bool = False) -> None:
        body = dumps({"answers": self.answers, "agreed": self.agreed, "submitted": submitted})
        limits = self.visit.request.registry.limits
        if limits.redis is None or limits.away:
            raise Problem("unavailable")
        try:
            limits.redis.set(self._key, body, ex=HOUR)
        except redis.RedisError:
            raise Problem("unavailable") from None

    @property
    def _key(self) -> str:
        return f"pipeline:preview:{stored_under(self.visit.request.path)}:{self.token}"

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
