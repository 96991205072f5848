"""Freeze the organization with a signature request.

The seal names the organization as it was when signing began. Earlier requests take its present names and time zone.

Release: the release before ignores the columns. For a request of its own they are null, and the present values count.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0019"
down_revision = "0018"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
set local statement_timeout = '1min';
alter table app.signature_requests
    add organization_name text,
    add organization_slug text,
    add legal_name text,
    add time_zone text;
comment on column app.signature_requests.organization_name is
    'The organization''s name when the request was created, for its seal; null, as the next three, if an earlier '
    'release created it during an upgrade: then the present values count.';
comment on column app.signature_requests.organization_slug is 'The organization''s slug when the request was created.';
comment on column app.signature_requests.legal_name is
    'The organization''s legal name when the request was created, if it had one.';
comment on column app.signature_requests.time_zone is
    'The organization''s time zone when the request was created, for its times.';
grant insert (organization_name, organization_slug, legal_name, time_zone)
    on app.signature_requests to pipeline_member;
grant select (organization_name, time_zone) on app.signature_requests to pipeline_public;
-- Neither the requests' time nor the record of changes tells of it.
alter table app.organizations no force row level security;
alter table app.signature_requests no force row level security;
alter table app.signature_requests disable trigger user;
update app.signature_requests as request
set organization_name = organization.name, organization_slug = organization.slug,
    legal_name = organization.legal_name, time_zone = organization.time_zone
from app.organizations as organization
where organization.id = request.organization_id;
alter table app.signature_requests enable trigger user;
alter table app.signature_requests force row level security;
alter table app.organizations force row level security;
call app.touch_changed('app.signature_requests');
""")
