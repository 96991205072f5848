"""Dates and times: valid ones are stored unchanged, any other is a named violation."""

import datetime

import pytest

from pipeline import validation as schema
from tests.http.reading import ABSENT, read


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("2024-02-29", datetime.date(2024, 2, 29)),
        ("9999-12-31", datetime.date(9999, 12, 31)),
        ("2026-02-29", "invalid_date"),
        ("1899-12-31", "out_of_range"),
        ("10000-01-01", "wrong_type"),
        ("20260131", "wrong_type"),
        ("2026-01-31T00:00:00Z", "wrong_type"),
        ("\N{FULLWIDTH DIGIT TWO}026-01-31", "wrong_type"),
        (20260131, "wrong_type"),
        ("", ABSENT),
        (None, ABSENT),
    ],
)
def test_a_date_is_a_day_of_the_calendar(value, result):
    assert read(schema.Date(), value) == result


@pytest.mark.parametrize(
    ("value", "clock"),
    [
        ("2026-01-31T09:30:00.000000Z", "09:30:00"),
        ("2026-01-31T09:30Z", "09:30:00"),
        ("2026-01-31 09:30:00+00:00", "09:30:00"),
        ("2026-01-31T11:30:00+0200", "09:30:00"),
        ("2026-01-31T04:00:00-05:30", "09:30:00"),
        ("2026-01-31T09:30:00,123456Z", "09:30:00.123456"),
        ("2026-01-31T09:30:00.123456789Z", "09:30:00.123456"),
        ("20260131T113000,5+0200", "09:30:00.500000"),
        ("2026-W05-6T09:30:00Z", "09:30:00"),
    ],
)
def test_a_timestamp_is_a_moment_in_utc(value, clock):
    assert read(schema.Timestamp(), value).isoformat() == f"2026-01-31T{clock}+00:00"


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("2026-01-31T09:30:00", "offset_missing"),
        ("2026-02-30T09:30:00Z", "invalid_date"),
        ("2026-01-31T09:30:00+25:00", "invalid_date"),
        ("0001-01-01T00:00:00+01:00", "invalid_date"),
        ("9999-12-31T23:00:00-02:00", "invalid_date"),
        ("1899-12-31T23:59:59Z", "out_of_range"),
        ("2026-01-31", "wrong_type"),
        (" 2026-01-31T09:30:00Z", "wrong_type"),
        (1769851800, "wrong_type"),
        ("", ABSENT),
        (None, ABSENT),
    ],
)
def test_what_is_no_moment_is_refused(value, result):
    assert read(schema.Timestamp(), value) == result
