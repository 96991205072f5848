"""Freeze the organization's country with a signature request.

The seal, the page and the emails of a request write dates as when it was created. Earlier requests take the present
country.

Release: the release before ignores the column. For a request of its own it is null, and the present country counts.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0057"
down_revision = "0056"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
set local statement_timeout = '1min';
alter table app.signature_requests add region text;
comment on column app.signature_requests.organization_name is
    'The organization''s name when the request was created, for its seal; null, as the next four, if an earlier '
    'release created it during an upgrade: then the present values count.';
comment on column app.signature_requests.region is
    'The country of the organization, else of its locale, when the request was created, for its dates; empty without.';
grant insert (region) on app.signature_requests to pipeline_member;
grant select (region) on app.signature_requests to pipeline_public;
-- Neither the requests' time nor the record of changes tells of it.
alter table app.organizations no force row level security;
alter table app.signature_requests no force row level security;
alter table app.signature_requests disable trigger user;
update app.signature_requests as request
set region = coalesce(organization.country, substring(organization.locale from '-([A-Z]{2})$'), '')
from app.organizations as organization
where organization.id = request.organization_id;
alter table app.signature_requests enable trigger user;
alter table app.signature_requests force row level security;
alter table app.organizations force row level security;
call app.touch_changed('app.signature_requests');
""")
