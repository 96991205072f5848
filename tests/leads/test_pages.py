"""For every sort, in both directions, the pages together are exactly the filtered leads, each once and in order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.database import queries

SORTS = queries.lead_list.words("sort_by")
WORDS = st.sampled_from(["a", "B", "b", "é", "Zoë"])
MAYBE = st.none() | WORDS
LEAD = st.fixed_dictionaries(
    {
        "first_name": WORDS,
        "last_name": MAYBE,
        "email": MAYBE.map(lambda text: text and f"{text}@prospect.example"),
        "company": MAYBE,
        "source": WORDS,
        "status": st.sampled_from(["new", "contacted"]),
        "assigned_to": st.sampled_from([None, "member", "colleague", "inactive"]),
        "created_at": st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
    }
)
LEADS = st.lists(LEAD, max_size=12)
COLUMN = {
    "name": "l.name_key",
    "email": "l.email_key",
    "company_name": "company_key",
    "status": "status",
    "source": 'app.sort_key(source) collate "C"',
    "assigned_to_name": 'app.sort_key(u.name) collate "C"',
    "created_at": "l.created_at",
    "updated_at": "l.updated_at",
}
WHERE = {
    "": "true",
    "status=new": "status = 'new'",
    "status=new,contacted": "true",
    "source=B": "source = 'B'",
    "date_to=2026-01-01": "l.created_at < '2026-01-02Z'",
    "search=a": "search_text like '%%a%%'",
    "search=zoe": "search_text like '%%zoe%%'",
    "search=a&status=new": "search_text like '%%a%%' and status = 'new'",
    "scope=me": "assigned_to = %(me)s",
}
FILTERS = st.sampled_from(list(WHERE))


def expected(owner, organization, filters, sort_by, sort_dir):
    """The ids of the filtered leads in order, by a statement of its own."""
    rows = owner.execute(
        f"""select l.id from app.leads l left join app.users u on u.id = l.assigned_to
            where l.organization_id = %(organization)s and {WHERE[filters]}
            order by {COLUMN[sort_by]} {sort_dir} nulls last, l.id {sort_dir}""",
        {"organization": organization.id, "me": organization.users["member"]},
    )
    return [id for (id,) in rows]


def pages(api, query, per_page):
    """The ids of all pages, one after the other, and the total of the first."""
    ids, number, last = [], 1, 1
    while number <= last:
        page = api.get(f"/api/leads?{query}&per_page={per_page}&page={number}", status=200).json
        last, number = page["last_page"], number + 1
        ids += [lead["id"] for lead in page["data"]]
    return ids, page["total"]


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
@pytest.mark.parametrize("sort_by", SORTS)
def test_the_pages_are_exactly_the_filtered_leads(new_organization, owner, sort_by, sort_dir):
    organization = new_organization()

    @settings(max_examples=6)
    @given(leads=LEADS, filters=FILTERS, per_page=st.integers(1, 5))
    def check(leads, filters, per_page):
        owner.execute("delete from app.leads where organization_id = %s", (organization.id,))
        for lead in leads:
            person = organization.users.get(lead["assigned_to"])
            organization.insert("leads", **{**lead, "assigned_to": person})
        found, total = pages(organization.member, f"{filters}&sort_by={sort_by}&sort_dir={sort_dir}", per_page)
        assert found == expected(owner, organization, filters, sort_by, sort_dir)
        assert total == len(found)

    check()
