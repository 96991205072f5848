"""The findings of Spectral and Redocly on the OpenAPI document. `make linters` installs them."""

from development.linters import lint


def test_the_linters_find_neither_an_error_nor_a_warning(anonymous, tmp_path):
    file = tmp_path / "openapi.json"
    file.write_bytes(anonymous.get("/openapi.json", status=200).body)
    assert lint(file) == ["", ""]
