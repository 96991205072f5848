"""The results of calls."""

from typing import TypeVar

from .models import Problem

Result = TypeVar("Result")


class Failed(Exception):
    """A call that failed; `problem` has its `code`, and `errors` for invalid places."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(problem and f"{problem.code}: {problem.detail}")
        self.problem = problem


def result(answer: Result | Problem | None) -> Result:
    """The result; raises Failed for a problem."""
    if answer is None or isinstance(answer, Problem):
        raise Failed(answer)
    return answer
