"""What is generated from `sql/` matches it; mypy compares the calls in pipeline/ with the stub."""

from development import query_stub, signatures


def test_the_stub_is_that_of_the_statements():
    assert query_stub.FILE.read_text() == query_stub.stub(), "python -m development.query_stub writes it"


def test_the_signatures_are_those_of_the_statements(owner):
    assert signatures.FILE.read_text() == signatures.signatures(owner), "make schema writes it"
