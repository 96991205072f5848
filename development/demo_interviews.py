"""The demo's interviews, created, answered and submitted by the functions of the API."""

from datetime import UTC, datetime, timedelta

from pipeline.database import loads
from pipeline.http.security import Identity
from pipeline.interviews import schemas, service
from pipeline.interviews.public import public_service
from pipeline.interviews.public.links import Link
from pipeline.interviews.templates.conditions import Answers

BEGINNING: Answers = {"product_line": "license-server"}
ANSWERS = {
    **BEGINNING,
    "platforms": ["linux", "macos"],
    "features": ["floating", "offline"],
    "license_type": "yearly",
    "seats": 120,
    "evaluating_others": True,
    "competitors": "Contoso License Manager",
    "timeline": "within_30_days",
    "compliance": ["soc_2", "gdpr"],
    "fit": 4,
    "priorities": ["security", "price", "integration"],
    "satisfaction": {"setup": "poor", "daily_use": "fair"},
    "invoice_address": {"street": "12 rue des Arts", "postal_code": "75011", "city": "Paris", "country": "FR"},
    "privacy": True,
}
# The token set the prospect's role and context.
LEAVE = "select set_config('role', 'none', true), set_config('app.invite_id', '', true)"
EXPIRE = "update interview_invites set expires_at = %s where organization_id = %s and id = %s"
LEADS = """
select id, email, name, company from leads
where organization_id = %s and email is not null and company is not null order by id limit 4"""


def add_interviews(connection, caller, deals, read):
    """Add two templates, and an invite in each state of the first, each with a lead and a deal.

    caller: the Identity of an admin; deals: ids; read(name): the content of a data file. Needs a transaction with the
    organization's context, bound to the queries.
    """
    template_id = _add_template(caller, read("qualification"))
    # A public slug is unique in all organizations, so only the first one has the capture form.
    if connection.execute("select from interview_templates where public_slug is not null").fetchone() is None:
        _add_template(caller, read("software_evaluation"))
    rows = connection.execute(LEADS, (caller.organization_id,)).fetchall()
    _, started, submitted, expired = (
        _add_invite(caller, template_id, lead, deal_id) for lead, deal_id in zip(rows, deals, strict=True)
    )
    _, beginner, finisher, _ = map(_introduced, rows)
    public_service.save_answers(started["token"], {**beginner, **BEGINNING}, Link())
    connection.execute(LEAVE)
    public_service.submit(submitted["token"], Link(), {**finisher, **ANSWERS}, send_copy=False)
    connection.execute(LEAVE)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    connection.execute(EXPIRE, (yesterday, caller.organization_id, expired["id"]))


def _introduced(lead):
    """The answers with a lead's own data."""
    return {"your_name": lead["name"], "work_email": lead["email"], "company": lead["company"]}


def admin_of(organization_id, people):
    """The Identity of the organization's admin, the first of {email: user id}."""
    return Identity(next(iter(people.values())), organization_id, "admin")


def _add_template(caller, body):
    return service.create_template(caller, schemas.Template().read(body))


def _add_invite(caller, template_id, lead, deal_id):
    body = {
        "template_id": template_id,
        "recipient_email": lead["email"],
        "recipient_name": lead["name"],
        "lead_id": lead["id"],
        "deal_id": deal_id,
    }
    return loads(service.create_invite(caller, "", 0, schemas.Invite().read(body)))  # none is mailed
