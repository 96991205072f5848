"""The stub of the queries matches `sql/`, and every call passes existing parameters."""

import ast
from pathlib import Path

import pipeline
from development import query_stub, signatures
from pipeline.database import Queries

PACKAGE = Path(pipeline.__file__).parent
QUERIES = {query.name: query for query in Queries()}


def calls():
    """(query, the names of its keywords or None where some are unpacked, where) of every call in pipeline/."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in ("json", "merged", "explained"):
                called = called.value
            if isinstance(called, ast.Attribute) and getattr(called.value, "id", None) == "queries":
                names = [keyword.arg for keyword in node.keywords]
                yield called.attr, names, f"{path.relative_to(PACKAGE)}:{node.lineno}"


def test_the_stub_is_that_of_the_statements():
    assert query_stub.FILE.read_text() == query_stub.stub(), "python -m development.query_stub writes it"


def test_the_signatures_are_those_of_the_statements(owner):
    assert signatures.FILE.read_text() == signatures.signatures(owner), "make schema writes it"


def test_queries_are_called_with_parameters_that_they_have_and_all_that_they_need():
    for name, given, where in calls():
        query = QUERIES.get(name)
        if query is None:
            assert name in ("bind", "bound", "connection", "database", "on", "renew"), where
        else:
            assert set(given) - {None} <= set(query.parameters), where
            needed = {name for name in query.parameters if query_stub.needed(query, name)}
            assert None in given or needed <= set(given), where
