"""The findings of Spectral and Redocly on the OpenAPI document. `make linters` installs them."""

import pytest

from development.linters import lint


@pytest.fixture
def file(anonymous, tmp_path):
    """The document as a file."""
    file = tmp_path / "openapi.json"
    file.write_bytes(anonymous.get("/openapi.json", status=200).body)
    return file


def test_the_linters_find_neither_an_error_nor_a_warning(file):
    assert lint(file) == ["", ""]


def test_the_linters_do_look(file):
    file.write_text('{"openapi": "3.1.0", "info": {"title": "Nothing", "version": "1"}, "paths": {}}')
    assert all("problem" in found or "errors" in found for found in lint(file))
