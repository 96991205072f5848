"""The queries of docs/dba-questions.md run, and its batches do what the page says."""

import re
from pathlib import Path

import psycopg
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "dba-questions.md").read_text()
*QUESTIONS, (_, BATCHES) = re.findall(r"^## (.+?)\n(?:(?!^## ).)*?```sql\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
CHANGES = "select count(*) from app.changes where type = 'leads' and action = 'updated'"


@pytest.mark.parametrize(("question", "query"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_a_question_of_the_page_has_its_answer(question, query, owner):
    assert owner.execute(query).description, question


@pytest.mark.parametrize(("script", "silent"), [(BATCHES, True), ("\n".join(BATCHES.split("\n")[1:-2]), False)])
def test_batches_fill_every_row_and_are_silent_without_triggers(script, silent, owner_url, world):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("update app.leads set job_title = null")
        before = owner.execute(f"select ({CHANGES}), max(updated_at) from app.leads").fetchone()
        for statement in re.split(r";\n(?=do|reset)", script):
            owner.execute(statement)
        after = owner.execute(f"select ({CHANGES}), max(updated_at) from app.leads").fetchone()
        assert owner.execute("select count(*) from app.leads where job_title is null").fetchone() == (0,)
    assert (before == after) == silent
