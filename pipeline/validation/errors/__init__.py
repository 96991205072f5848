"""The exception of services; `http/problems.py` makes its response."""

from collections.abc import Iterable
from typing import Any

from pipeline.validation.errors.codes import CODES
from pipeline.validation.violations import Violation


class Problem(Exception):
    """A failure with its response.

    `commit`: keep the request's changes. Further keywords become members.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        violations: Iterable[Violation] = (),
        headers: dict[str, str] | None = None,
        commit: bool = False,
        **members: Any,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status, self.title = CODES[code].status, CODES[code].title
        self.detail = detail
        self.violations = list(violations)
        self.headers = headers or {}
        self.commit = commit
        self.members = members

    def body(self, request_id: str) -> dict[str, Any]:
        body = {
            "type": f"/docs/errors#{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail or f"{self.title}.",
            "request_id": request_id,
            **self.members,
        }
        if self.violations:
            body["errors"] = [{"location": found.location, **found._asdict()} for found in self.violations]
        return body
