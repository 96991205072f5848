"""Show the reading copy of a Word file after the code alone.

Release: no row changes.

Rollback: nothing to do; the former release has no Word files.
"""

from pipeline.database import migrations

revision = "0055"
down_revision = "0053"

LOOKUPS = """
create or replace function app.signature_reading_copy() returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select r.reading_copy
    from signature_links l
    join signature_requests r on r.organization_id = l.organization_id and r.id = l.request_id
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.token_hash = nullif(current_setting('app.signing_token', true), '')
      and (not r.verify_email or exists (
          select from signature_codes c
          where c.organization_id = l.organization_id and c.link_id = l.id
            and c.browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
            and c.verified_at > now() - interval '2 hours'))
$$;
comment on function app.signature_reading_copy is
    'What the open token''s signer reads of a Word file, if app.is_signing_opened would show the request.';
grant execute on function app.signature_reading_copy to pipeline_public;
"""


def upgrade():
    """Apply the revision."""
    migrations.owned("""
grant select (verify_email, reading_copy) on app.signature_requests to pipeline_lookup;
revoke select (reading_copy) on app.signature_requests from pipeline_public;
""")
    migrations.lookups(LOOKUPS)
