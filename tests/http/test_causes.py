"""Each violation has a sentence with its cause."""

import pytest

from tests.support import codes

UNREADABLE = {
    b'{\n  "a": 1,\n  b}': "line 3, column 3",
    b'{"first_name": }': "line 1, column 16",
    b"[" * 100_000: "nested too deep: at most 100 levels are allowed",
    b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}": "nested too deep: at most 100 levels are allowed",
    b'{"a": ' + b"9" * 5000 + b"}": "a number that is too large",
    b'{"a": 1e99999999999999999999}': "a number that is too large",
    b'{"a": NaN}': "NaN",
    b'{"a": -Infinity}': "-Infinity",
    b'{"a": "caf\xe9"}': "byte 11 is not UTF-8",
    b"\xef\xbb\xbf{}": "byte order mark",
}
MANY = {f"field_{number}": number for number in range(1000)}


def errors(response):
    return [(error["name"], error["message"]) for error in response.json["errors"]]


@pytest.mark.parametrize(("body", "cause"), UNREADABLE.items(), ids=UNREADABLE.values())
def test_a_body_that_cannot_be_read_is_told_why(body, cause, member):
    assert cause in member.request("POST", "/api/leads", raw=body, status=400).json["detail"]


def test_an_unknown_parameter_is_no_field(member):
    refused = member.get("/api/leads?colour=red", status=422)
    assert refused.json["detail"] == "1 parameter is invalid."
    assert errors(refused) == [("colour", "Is not a parameter of this request.")]
    assert codes(refused) == [("colour", "unknown_parameter")]


def test_parameters_and_fields_together_are_places(member):
    refused = member.post("/api/leads?colour=red", {"first_name": 1}, status=422)
    assert refused.json["detail"] == "2 places are invalid."


@pytest.mark.parametrize("offset", [" 02:00", " 0200"])
def test_a_plus_that_became_a_space_is_told(offset, member):
    refused = member.get(f"/api/leads?updated_since=2026-01-01T00:00:00{offset}", status=422)
    assert errors(refused) == [("updated_since", "Has a space in place of the + of the offset. In a URL, write %2B.")]
    assert codes(refused) == [("updated_since", "offset_missing")]


def test_more_violations_than_are_listed_are_told(member):
    refused = member.post("/api/leads", MANY, status=422)
    assert len(refused.json["errors"]) == 200
    assert refused.json["detail"] == "More than 200 fields are invalid; the first 200 are listed."
    assert refused.json["more_errors"] is True
    fewer = member.post("/api/leads", {"first_name": "Pat", **dict(list(MANY.items())[:200])}, status=422)
    assert (len(fewer.json["errors"]), fewer.json["detail"]) == (200, "200 fields are invalid.")
    assert "more_errors" not in fewer.json
