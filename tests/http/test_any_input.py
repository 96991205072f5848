"""Any bytes or JSON at a writing endpoint give a 4xx and never a 5xx."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.http.target import assert_problem

WRITING = ["login", "refresh", "create template", "replace template", "create invite", "save answers", "submit"]
ANY = settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
TEXT = st.text(st.characters(), max_size=20)
ASCII = st.text(st.characters(codec="ascii", exclude_characters="#?"), max_size=60)
KNOWN = ["", "today", "2026-01-31", "2030-01-31T09:30:00Z", "server", "seats", "a@b.example", "#ffffff"]
WORDS = (
    "key type label options value questions visible_if all any not question op map when target lead_fields rep_flags"
    " rep_tips title min max pattern seats notes product_line flag email"
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**40), 10**40) | st.floats() | TEXT | st.sampled_from(KNOWN)
NAMES = st.sampled_from(WORDS.split()) | TEXT
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=25
)


def check(response):
    if response.status_int >= 400:
        assert response.status_int < 500, response.text
        assert_problem(response, response.status_int)


def encoded(value):
    return json.dumps(value).encode()


@pytest.mark.parametrize("endpoint", WRITING)
@ANY
@given(raw=st.binary(max_size=200) | JSON.map(encoded))
def test_no_body_is_a_fault_of_the_service(endpoint, raw, target):
    check(target.send(endpoint, raw))


@pytest.mark.parametrize("endpoint", WRITING)
@ANY
@given(data=st.data())
def test_no_value_of_a_known_field_is_a_fault_of_the_service(endpoint, data, target):
    body = target.endpoints[endpoint].body
    field = data.draw(st.sampled_from(sorted(body)))
    check(target.send(endpoint, encoded({**body, field: data.draw(JSON)})))


@pytest.mark.parametrize("path", ["/api/interview-invites?", "/api/interview-templates/"])
@ANY
@given(rest=ASCII)
def test_no_query_and_no_path_is_a_fault_of_the_service(path, rest, target):
    check(target.organization.member.get(path + rest))
