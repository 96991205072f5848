import json

import orjson
import pytest

from development.clients import PACKAGE, PYTHON, wheel
from tests.clients.conftest import SECRET, programs, run

pytestmark = pytest.mark.long

SHOWN = ["submitted {'seats': 250, 'timeline': 'immediately'} ['fast_timeline']", "insufficient_scope leads:write"]
RECEIVE = """
receive({body!r}.encode(), {headers!r})
try:
    receive(b"{{}}", {headers!r})
except Exception as error:
    print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(description, tmp_path_factory):
    folder = tmp_path_factory.mktemp("python")
    built = wheel(description, tmp_path_factory.mktemp("wheel"))
    run(folder, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--no-index", "--target", ".", built)
    for name, program in zip(("example", "story"), programs(PYTHON / "README.md", "python"), strict=True):
        (folder / f"{name}.py").write_text(program)
    return folder


def test_every_operation_is_in_the_client_which_is_typed_as_are_its_programs(folder, description):
    modules = {path.stem for path in (folder / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
    paths = orjson.loads(description.read_bytes())["paths"]
    assert modules == {operation["operationId"] for methods in paths.values() for operation in methods.values()}
    run(folder, "-m", "mypy", "--strict", "--cache-dir", "types", "example.py", "story.py", PACKAGE)


UNKNOWN = """
import json, sys
from pipeline_client.models import ChangeFeed, Lead, Problem
lead, feed, problem = (kind.from_dict(one) for kind, one in zip((Lead, ChangeFeed, Problem), json.load(sys.stdin)))
print(lead.status, lead["mood"], [type(change).__name__ for change in feed.data], feed.data[1]["type"], problem.code)
"""


def test_words_types_and_fields_of_a_later_release_pass(folder, organization, place):
    id = organization.member.get("/api/leads", status=200).json["data"][0]["id"]
    lead = organization.member.get(f"/api/leads/{id}", status=200).json
    (change,) = organization.member.get(f"/api/changes?after={place}", status=200).json["data"]
    later = change | {"type": "moods", "action": "merged"}
    feed = {"data": [change | {"action": "merged"}, later], "next": "1-1-1", "more": False}
    problem = {"type": "/docs/errors#tired", "title": "Tired", "status": 418, "code": "tired", "detail": "Later."}
    given = json.dumps([lead | {"status": "pondering", "mood": "good"}, feed, problem | {"request_id": "r"}])
    (folder / "later.py").write_text(UNKNOWN)
    shown = run(folder, "later.py", given=given)
    assert shown == "pondering good ['ChangeOfLead', 'dict'] moods tired\n"


AMOUNTS = """
import os
from decimal import Decimal
from pipeline_client import AuthenticatedClient
from pipeline_client.api.deals import create_deal, list_deals
from pipeline_client.api.quotes import create_quote
from pipeline_client.models import CreateDealBody, CreateQuoteBody, QuoteLine
from pipeline_client.results import result
client = AuthenticatedClient(base_url=os.environ["PIPELINE_URL"], token=os.environ["PIPELINE_KEY"])
deal = result(create_deal.sync(client=client, body=CreateDealBody(title="Big", value=Decimal("9999999999999.99"))))
line = QuoteLine(description="Seat", quantity=3, unit_price=Decimal("0.10"), tax_rate=Decimal("19.00"))
asked = CreateQuoteBody(deal_id=deal.id, lines=[line], tax_total=Decimal("0.06"))
quote = result(create_quote.sync(client=client, body=asked))
found = result(list_deals.sync(client=client, value_min=Decimal("9999999999999.99")))
print(deal.value, quote.total, [one.id for one in found.data] == [deal.id])
"""


def test_decimals_go_in_as_amounts_and_filters(folder, new_organization, site):
    key = new_organization().key("records:read", "records:write").headers["Authorization"].removeprefix("Bearer ")
    (folder / "amounts.py").write_text(AMOUNTS)
    run(folder, "-m", "mypy", "--strict", "--cache-dir", "types", "amounts.py")
    assert run(folder, "amounts.py", PIPELINE_URL=site.url, PIPELINE_KEY=key) == "9999999999999.99 0.36 True\n"


MANY = """
import os
from pipeline_client import AuthenticatedClient, Client
from pipeline_client.api.accounts import log_in
from pipeline_client.api.api_keys import create_api_key, delete_api_key
from pipeline_client.api.leads import batch_leads, list_leads
from pipeline_client.models import BatchLeadsBody, CreateApiKeyBody, LeadUpsert, LogInBody
from pipeline_client.results import Failed, result
url, email, password = (os.environ[f"PIPELINE_{name}"] for name in ("URL", "EMAIL", "PASSWORD"))
tokens = result(log_in.sync(client=Client(base_url=url), body=LogInBody(email=email, password=password)))
admin = AuthenticatedClient(base_url=url, token=tokens.access_token)


def renewed():
    body = CreateApiKeyBody(name="CRM", scopes=["leads:read", "leads:write"])
    made = result(create_api_key.sync(client=admin, body=body))
    return made.id, AuthenticatedClient(base_url=url, token=made.key, timeout=None)


def sent(first):
    rows = [LeadUpsert(external_id=f"crm-{n}", first_name=f"Lead {n}") for n in range(first, first + 500)]
    return result(batch_leads.sync(client=client, body=BatchLeadsBody(upsert=rows))).upserted


id, client = renewed()
results, refused = [], []
for round in range(2):
    for first in range(0, 10_000, 500):
        if first == 5_000:
            delete_api_key.sync(id, client=admin)
        try:
            upserted = sent(first)
        except Failed as failure:
            refused.append(failure.problem.code)
            id, client = renewed()
            upserted = sent(first)
        results += [one.result for one in upserted]
found, after = [], 0
while page := result(list_leads.sync(client=client, after_id=after, per_page=500)).data:
    found += [lead.external_id for lead in page]
    after = page[-1].id
print([results[:10_000].count("created"), results[10_000:].count("created")], len(set(found)), len(found), refused)
"""


def test_ten_thousand_leads_are_created_then_found_while_keys_are_renewed(folder, served):
    address, email, password = served
    (folder / "many.py").write_text(MANY)
    shown = run(folder, "many.py", PIPELINE_URL=address, PIPELINE_EMAIL=email, PIPELINE_PASSWORD=password)
    assert shown == "[10000, 0] 10000 10000 ['unauthenticated', 'unauthenticated']\n"


def test_the_example_lists_creates_follows_and_verifies(folder, organization, site, key, place, message):
    body, headers = message
    (folder / "run.py").write_text((folder / "example.py").read_text() + RECEIVE.format(body=body, headers=headers))
    environ = {"PIPELINE_URL": site.url, "PIPELINE_KEY": key, "PIPELINE_PLACE": place, "PIPELINE_SECRET": SECRET}
    listed, change, *_, received, refused = run(folder, "run.py", **environ).splitlines()
    (lead,) = organization.member.get("/api/leads?external_id=crm-7", status=200).json["data"]
    assert (listed, lead["name"]) == ("['Pat']", "Ada")
    assert (received, refused) == ("lead.created 7", "WebhookVerificationError")
    assert change.startswith("leads created ")
    assert "Lead(" in change


def test_the_story_of_its_readme_runs_as_it_stands(folder, served):
    address, email, password = served
    shown = run(folder, "story.py", PIPELINE_URL=address, PIPELINE_EMAIL=email, PIPELINE_PASSWORD=password)
    assert [line for line in SHOWN if line not in shown.splitlines()] == []
    assert (folder / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "agreement.docx").read_bytes().startswith(b"PK")


def test_the_same_description_makes_the_same_wheel(description, tmp_path):
    built = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        built.append(wheel(description, tmp_path / name).read_bytes())
    assert built[0] == built[1]
