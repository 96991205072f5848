"""The exception that services raise; how it becomes an answer, and what else does, stands in `http/problems.py`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pipeline.errors.codes import CODES

if TYPE_CHECKING:
    from pipeline.validation import Violation


class Problem(Exception):
    """A failure with its answer.

    `violations` are the invalid places of a 422; `headers` go onto the response; further keywords become
    members of the body. `commit` keeps what the request wrote although it fails (a revoked token family);
    without it everything is rolled back.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        violations: "Iterable[Violation]" = (),
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
        """The problem+json document."""
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
