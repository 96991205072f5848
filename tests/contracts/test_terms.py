"""The last day of a term."""

import datetime

import pytest

from pipeline.contracts.terms import termination_date


@pytest.mark.parametrize(
    ("effective", "months", "last_day"),
    [
        ("2026-01-01", 1, "2026-01-31"),
        ("2026-01-31", 1, "2026-02-27"),
        ("2026-01-28", 1, "2026-02-27"),
        ("2024-01-31", 1, "2024-02-28"),
        ("2024-02-29", 12, "2025-02-27"),
        ("2096-02-29", 48, "2100-02-27"),
        ("2023-02-28", 12, "2024-02-27"),
        ("2000-02-29", 1200, "2100-02-27"),
        ("9900-01-01", 1200, "9999-12-31"),
        ("9999-12-01", 1, "9999-12-31"),
    ],
)
def test_the_term_ends_a_day_before_the_clamped_day_of_the_month(effective, months, last_day):
    assert str(termination_date(datetime.date.fromisoformat(effective), months)) == last_day


def test_the_database_would_count_the_same(owner):
    rows = owner.execute(
        """select d::date, m, (d + make_interval(months => m))::date - 1
           from generate_series(timestamp '2023-01-01', '2025-03-01', '1 day') d, unnest(array[1, 11, 47, 1200]) m"""
    ).fetchall()
    assert [termination_date(day, months) for day, months, _ in rows] == [last for _, _, last in rows]


def test_every_contract_is_so_dated(new_contract):
    contract = new_contract(effective_date="2026-01-31", term_months=1)
    assert contract["termination_date"] == "2026-02-27"
