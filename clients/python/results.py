"""The results of calls."""

from typing import TypeVar, cast

from .models import Problem

Result = TypeVar("Result")


class Failed(Exception):
    """A call that failed; `problem` has its `code`, and `errors` for invalid places."""

    def __init__(self, problem: Problem) -> None:
        places = [f"{place.name} ({place.code})" for place in problem.errors or ()]
        super().__init__(" ".join([f"{problem.code}: {problem.detail}", *places]))
        self.problem = problem


def result(answer: Result | Problem | None) -> Result:
    """The result, None without a body; raises Failed for a problem."""
    if isinstance(answer, Problem):
        raise Failed(answer)
    return cast(Result, answer)
