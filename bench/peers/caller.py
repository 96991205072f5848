"""Shared by the peers: the database's URL and the caller.

Each peer verifies the token with PyJWT and reads the caller's seat in one query, as the service does. They filter by
organization in WHERE, with a login that bypasses row-level security.
"""

import os

import jwt

DATABASE_URL = os.environ["PEERS_DATABASE_URL"]
SECRET = os.environ["PEERS_SECRET"]
# The lead's columns: those that clients write, and the others of the record.
WRITABLE = (
    "first_name",
    "last_name",
    "email",
    "phone",
    "company",
    "job_title",
    "source",
    "status",
    "notes",
    "tags",
    "assigned_to",
    "external_id",
)
KEPT = ("contact_id", "company_id", "deal_id", "disqualify_reason", "qualified_at", "disqualified_at")
SORTS = {"name": "name_key", "email": "email_key", "status": "status", "created_at": "created_at"}
PER_PAGE = 25
# The most notes and tasks in a lead. With fewer the number needs no count.
NEWEST = 100
# The columns with creator and times of a lead, note or task.
MADE = ("created_by", "created_by_kind", "created_by_name", "created_at", "updated_at")
LINKS = ("lead_id", "contract_id", "contact_id", "company_id", "deal_id")
NOTE = ("content", *LINKS)
TASK = ("title", "description", "due_date", "due_time", "priority", "assigned_to", *LINKS)


def newest(table, columns, entries, count):
    """The newest entries of a lead, the newest last, as JSON, and their number."""
    own = ", ".join(f"e.{column}" for column in ("id", "organization_id", *columns, "created_by"))
    mine = "e.organization_id = l.organization_id and e.lead_id = l.id"
    return f"""
    coalesce((
        select json_agg(entry order by entry.id) from (
            select {own}, coalesce(p.name, k.name) as created_by_name, e.created_at, e.updated_at,
                case when k.id is not null then 'key' when p.id is not null then 'user' else 'system' end
                    as created_by_kind
            from app.{table} e left join app.users p on p.id = e.created_by
                left join app.api_keys k on k.organization_id = e.organization_id and k.id = e.created_by_key
            where {mine}
            order by e.id desc limit {NEWEST}) entry), '[]') as {entries},
    (select count(*) from app.{table} e where {mine}) as {count}"""


def read_token(authorization):
    """(user id, organization id) of an Authorization header; raises jwt.InvalidTokenError."""
    claims = jwt.decode(
        authorization.removeprefix("Bearer "), SECRET, algorithms=["HS256"], audience="pipeline-api", issuer="pipeline"
    )
    return int(claims["sub"]), claims["org"]


def kind(user_id, key_id, by_form=False):
    """The kind of creator: a prospect with a form, a key, a user, or the service itself."""
    return "prospect" if by_form else "key" if key_id else "user" if user_id else "system"


def envelope(data, page, total):
    """The response of a list."""
    return {
        "data": data,
        "current_page": page,
        "last_page": max(1, -(-total // PER_PAGE)),
        "per_page": PER_PAGE,
        "total": total,
    }
