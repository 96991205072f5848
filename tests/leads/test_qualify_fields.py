"""Own fields that a qualification carries."""

from tests.records.support import make


def test_a_qualification_carries_fields_of_equal_key_and_type(admin, member):
    for kind, type in (("lead", "text"), ("contact", "number"), ("company", "text"), ("deal", "text")):
        admin.post("/api/fields", {"kind": kind, "key": "erp", "label": "ERP", "type": type}, status=201)
    stage = {"kind": "deal", "key": "stage", "label": "Stage", "type": "text", "default": "first"}
    admin.post("/api/fields", stage, status=201)
    known = make(member, "companies", name="Engine GmbH", fields={"erp": "K-1"})
    ids = []
    for company in ("Engine GmbH", "Motor AG"):
        lead = make(member, "leads", first_name="Pat", company=company, fields={"erp": "K-7"})
        asked = {"create_company": True, "create_deal": True}
        ids.append(member.post(f"/api/leads/{lead['id']}/qualify", asked, status=200).json)
    fields = {
        path: member.get(f"/api/{path}/{id}").json["fields"]
        for path, id in (("contacts", ids[1]["contact_id"]), ("companies", ids[1]["company_id"]))
    }
    assert fields == {"contacts": {}, "companies": {"erp": "K-7"}}
    assert member.get(f"/api/deals/{ids[1]['deal_id']}").json["fields"] == {"stage": "first", "erp": "K-7"}
    assert member.get(f"/api/companies/{known['id']}").json["fields"] == {"erp": "K-1"}
