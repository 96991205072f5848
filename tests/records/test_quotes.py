from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from pipeline.database import loads
from tests.http.target import assert_problem
from tests.records.support import make, shown
from tests.support import codes

LINES = [
    {
        "sku": "SRV",
        "description": "Server",
        "platform": "linux",
        "license_type": "perpetual",
        "quantity": 3,
        "unit_price": 99.99,
        "discount_percent": 12.5,
        "tax_rate": 19,
    },
    {"sku": "SUP", "description": "Support", "quantity": 1, "unit_price": 100, "tax_rate": None},
]


@pytest.fixture
def body(deal):
    return {"deal_id": deal["id"]}


def test_a_quote_is_computed_and_shown_with_its_lines_until_they_are_replaced(member, body):
    quote = make(member, "quotes", **body, lines=LINES, discount_total=12.47, tax_total=70.1)
    assert [{name: line[name] for name in sent} for sent, line in zip(LINES, quote["lines"], strict=True)] == LINES
    # 3 × 99.99 × 0.875 = 262.47375
    assert [line["net"] for line in quote["lines"]] == [262.47, 100]
    assert (quote["subtotal"], quote["total"]) == (362.47, 420.1)
    assert (quote["deal_title"], quote["status"]) == ("Site licence", "draft")
    assert shown(member, "/api/quotes", "lines") == [quote["lines"]]
    path = f"/api/quotes/{quote['id']}"
    replaced = member.put(path, {**body, "lines": LINES[1:]}, status=200).json
    assert ([line["sku"] for line in replaced["lines"]], replaced["subtotal"]) == (["SUP"], 100)
    dearer = member.patch(path, {"lines": [{**LINES[1], "unit_price": 101}]}, status=200).json
    assert dearer["updated_at"] > replaced["updated_at"]


def test_a_quantity_has_up_to_three_decimals_and_is_computed_exactly(member, body):
    lines = [{"quantity": 1.5, "unit_price": 890}, {"quantity": 0.125, "unit_price": 0.2, "discount_percent": 50}]
    quote = make(member, "quotes", **body, lines=lines)
    # 0.125 × 0.2 × 0.5 = 0.0125
    assert [(line["quantity"], line["net"]) for line in quote["lines"]] == [(1.5, 1335), (0.125, 0.01)]
    path = f"/api/quotes/{quote['id']}"
    assert member.put(path, {**body, "lines": lines}, status=200).json["updated_at"] == quote["updated_at"]
    refused = member.put(path, {**body, "lines": [{"quantity": 0.0001}]}, status=422)
    assert codes(refused) == [("lines.0.quantity", "too_precise")]


def test_the_largest_quote_is_exact(member, body):
    line = {"quantity": 10**4, "unit_price": 10**6}
    quote = loads(member.post("/api/quotes", {**body, "lines": [line] * 500, "tax_total": 0.01}, status=201).body)
    assert (quote["subtotal"], quote["total"]) == (500 * 10**10, Decimal(f"{500 * 10**10}.01"))


def test_number_and_status_left_out_of_an_update_stay(member, body):
    quote = make(member, "quotes", **body, quote_number="2026/7", status="sent", notes="Soon")
    replaced = member.put(f"/api/quotes/{quote['id']}", body, status=200).json
    assert (replaced["quote_number"], replaced["status"], replaced["notes"]) == ("2026/7", "sent", None)


@pytest.mark.parametrize(("highest", "following"), [("Q-41", "Q-000042"), ("Q-999999", "Q-1000000"), ("X", "Q-000001")])
def test_a_quote_without_a_number_gets_the_next_one(highest, following, member, body):
    make(member, "quotes", **body, quote_number=highest)
    make(member, "quotes", **body, quote_number="2026/7")
    assert make(member, "quotes", **body)["quote_number"] == following


def test_quotes_made_in_the_same_moment_get_numbers_of_their_own(member, body):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make(member, "quotes", **body)["quote_number"], range(8)))
    assert sorted(made) == [f"Q-{number:06}" for number in range(1, 9)]


def test_a_number_is_given_once(member, body, new_organization):
    make(member, "quotes", **body, quote_number="Q-1")
    assert_problem(member.post("/api/quotes", {**body, "quote_number": "Q-1"}), 409, "quote_number_taken")
    other = new_organization()
    make(other.member, "quotes", deal_id=other.insert("deals", title="Deal"), quote_number="Q-1")


def test_numbers_are_sorted_without_case_and_accents(member, body):
    for number in ("b-1", "A-2", "Ä-1", "C-3"):
        make(member, "quotes", **body, quote_number=number)
    assert shown(member, "/api/quotes", "quote_number") == ["Ä-1", "A-2", "b-1", "C-3"]


def test_a_discount_is_at_most_the_subtotal(member, body):
    body |= {"lines": LINES[1:], "discount_total": 100}
    quote = make(member, "quotes", **body)
    assert quote["total"] == 0
    for send, path in ((member.post, "/api/quotes"), (member.put, f"/api/quotes/{quote['id']}")):
        refused = send(path, {**body, "discount_total": 100.01}, status=422)
        assert codes(refused) == [("discount_total", "out_of_range")]


def test_each_violation_is_named_by_its_place(member, body):
    line = {"unit_price": 10**9 + 1, "quantity": -1, "discount_percent": 100.01, "tax_rate": 100.01, "net": 5}
    dates = {"quote_date": "2026-02-01", "valid_until": "2026-01-31"}
    refused = member.post("/api/quotes", body | dates | {"lines": [line], "status": "lost"}, status=422)
    lines = {f"lines.0.{name}": "unknown_field" if name == "net" else "out_of_range" for name in line}
    assert dict(codes(refused)) == {**lines, "status": "invalid_choice", "valid_until": "out_of_range"}


def test_two_updates_at_the_same_time_leave_one_whole_document(member, body):
    path = f"/api/quotes/{make(member, 'quotes', **body)['id']}"

    def write(number):
        return member.put(path, {**body, "notes": str(number), "lines": [{"sku": str(number)}] * 5}).status_int

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(write, range(6))) == {200}
    quote = member.get(path, status=200).json
    assert [line["sku"] for line in quote["lines"]] == [quote["notes"]] * 5
