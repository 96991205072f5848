"""Leads changed since a time, in the order of the last change."""


def test_what_was_changed_since_and_in_which_order_follows_every_way_to_write_a_lead(organization, member, owner):
    first, second, third = (organization.insert("leads", first_name=name) for name in "abc")
    since = owner.execute("select clock_timestamp()").fetchone()[0].isoformat().replace("+00:00", "Z")
    member.put(f"/api/leads/{second}", {"first_name": "b", "notes": "n"}, status=200)
    member.put(f"/api/leads/{first}/disqualify", {"reason": "r"}, status=200)
    member.delete(f"/api/leads/{third}", status=204)
    created = member.post("/api/leads", {"first_name": "d"}, status=201).json["id"]
    for sort_dir, expected in (("ASC", [second, first, created]), ("DESC", [created, first, second])):
        answer = member.get(f"/api/leads?updated_since={since}&sort_by=updated_at&sort_dir={sort_dir}", status=200).json
        assert ([lead["id"] for lead in answer["data"]], answer["total"]) == (expected, 3)
