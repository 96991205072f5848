import pytest

from tests.database.conftest import here, told
from tests.waiting import SECONDS


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("app.iso('2026-01-31 10:30+01')", "2026-01-31T09:30:00.000000Z"),
        ("app.money(-150, 'EUR')::text", "-1.5"),
        ("app.percent(1250)::text", "12.5"),
        ("app.sort_key('Ångström ß Ø')", "angstrom ss o"),
        ("app.company_key('Müller & Söhne G.m.b.H.')", "muller and sohne"),
        ("app.company_key('ACME, Inc.')", "acme"),
        ("app.company_key('Acme Co., Ltd.')", "acme"),
        ("app.company_key('Limited')", "limited"),
        ("app.website_domain('https://user@www.Acme.example:8080/path?q')", "acme.example"),
        ("app.website_domain('ada@acme.example')", "acme.example"),
        ("app.website_domain('acme')", None),
        ("app.invite_status('submitted', now() - interval '1 day')", "submitted"),
    ],
)
def test_a_function_answers(owner, call, expected):
    assert owner.execute(f"select {call}").fetchone() == (expected,)


# Of four bytes each and no two alike, or an index entry would be compressed.
LONG = "".join(chr(0x20000 + number * 7919 % 42_000) for number in range(255))
EMAIL, SHORT = f"{LONG[:250]}@x.io", LONG[:80]
NAMED = dict.fromkeys(("first_name", "last_name", "company", "job_title"), LONG)
LONGEST = {
    "leads": NAMED | {"email": EMAIL, "source": SHORT, "phone": SHORT},
    "companies": dict.fromkeys(("name", "legal_name", "website"), LONG),
    "contacts": {"first_name": LONG, "last_name": LONG, "email": EMAIL, "company_id": "acme.companies"},
    "deals": {"title": LONG, "company_id": "acme.companies"},
    "quotes": {"quote_number": SHORT, "deal_id": "acme.deals"},
}


@pytest.mark.parametrize("table", LONGEST)
def test_the_longest_values_fit_into_every_index(owner, world, table):
    long = f"update app.companies set name = '{LONG}' where id = acme.companies; "
    long += f"update app.deals set title = '{LONG}' where id = acme.deals"
    values = ", ".join(f"'{value}'" for value in LONGEST[table].values())
    insert = f"insert into app.{table} ({', '.join(LONGEST[table])}) values ({values}) returning 'done'"
    assert told(owner, world, insert, long) == "done"


def test_a_new_outbox_row_wakes_the_worker_of_its_queue(owner_url, owner, world):
    owner.execute("listen pipeline_mail; listen pipeline_documents")
    owner.commit()
    for event in ("lead_captured", "contract_documents"):
        here(owner, world)
        owner.execute("insert into app.outbox (event, key) values (%(event)s, %(event)s)", {"event": event})
        owner.commit()
    notices = owner.notifies(timeout=SECONDS, stop_after=2)
    assert [notice.channel for notice in notices] == ["pipeline_mail", "pipeline_documents"]
