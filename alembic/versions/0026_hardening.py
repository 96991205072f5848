r"""What a hostile file, a full store and a stolen login may not do.

A text of a CSV file was made harmless at its start only. A spreadsheet that splits at `;` or at a tab starts a cell
within the text, and some run a formula after blanks, quotes, or with a full-width sign.
"""

from pipeline.database.migrations import ORGANIZATION, installer, isolation, lookups, owned

revision = "0026"
down_revision = "0025"

# What may stand in front of a formula's sign, the sign, and what a spreadsheet may split at; as in
# pipeline/leads/csv_format.py. The signs and separators stand in no class of the other.
BEFORE = (
    r"""[''" \u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0"""
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
)
SIGN = r"[=+@\uff0b\uff0d\uff1d\uff20-]"
SPLIT = r"[,;\t\n\r]"

CSV = rf"""
create or replace function app.csv_text(value text) returns text
    language sql immutable parallel safe
    -- The comparisons, which are cheap, spare most texts the expressions: what is in question has a place to split,
    -- or its first character stands before A or after all of ASCII.
    return case
        when
            value collate "C" like '%,%' or value collate "C" like '%;%' or value collate "C" like e'%\t%'
            or value collate "C" like e'%\n%' or value collate "C" like e'%\r%'
            then case
                when value ~ '^{BEFORE}*[\t\r]|(^|{SPLIT}){BEFORE}*{SIGN}'
                    then regexp_replace(
                        value, '^(?={BEFORE}*[\t\r])|(^|(?<={SPLIT}))(?={BEFORE}*{SIGN})', '''', 'g'
                    )
                else value
            end
        when (value collate "C" < 'A' or value collate "C" > '~') and value ~ '^{BEFORE}*{SIGN}' then '''' || value
        else value
    end;
comment on function app.csv_text is
    'A text for a CSV file: with an apostrophe in front wherever a spreadsheet would start a cell with a formula.';
"""

# One row for each organization, kept by a trigger in the transaction of the file. Two that store at the same time wait
# for each other there, briefly and only within one organization, so the sum is exact and a quota cannot be passed by.
# (A sum over the files at each upload is as exact only behind a lock as well, and grows with their number.)
STORAGE = f"""
create table app.storage_use (
    organization_id bigint primary key default {ORGANIZATION} references app.organizations (id),
    bytes bigint not null check (bytes >= 0)
);
comment on table app.storage_use is 'How many bytes the files of an organization have, those of its history included.';
{isolation("storage_use", f"organization_id = {ORGANIZATION}")}
create policy member on app.storage_use for select to pipeline_member, pipeline_jobs using (true);
grant select on app.storage_use to pipeline_member, pipeline_jobs;
grant select, insert, update on app.storage_use to pipeline_lookup;
grant select (size) on app.files to pipeline_lookup;
"""

COUNTED = """
insert into app.storage_use (organization_id, bytes) select organization_id, sum(size) from app.files group by 1;

create function app.storage_counted() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into storage_use (organization_id, bytes) values (new.organization_id, new.size)
        on conflict (organization_id) do update set bytes = storage_use.bytes + excluded.bytes;
    else
        update storage_use set bytes = bytes - old.size where organization_id = old.organization_id;
    end if;
    return null;
end
$$;
comment on function app.storage_counted is 'Keeps storage_use; a file never changes, it comes and goes.';

create function app.storage_total() returns table (bytes bigint, largest bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select coalesce(sum(s.bytes), 0)::bigint, coalesce(max(s.bytes), 0) from app.storage_use s
$$;
comment on function app.storage_total is
    'Bytes of all files, and of the organization that has most: numbers for monitoring, nothing of any of them.';
grant execute on function app.storage_total to pipeline_app;
grant execute on function app.storage_counted to pipeline_owner;
"""

TRIGGER = """
create trigger storage_counted after insert or delete on app.files
    for each row execute function app.storage_counted();
"""

# What PostgreSQL lets everybody do and no request needs: the less is left to whoever steals a login. They are a
# superuser's to take from PUBLIC; the migration of another role goes on with a warning.
STOLEN = """
do $$
declare
    routine regprocedure;
begin
    for routine in
        select oid::regprocedure from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
            -- Large objects have no row-level security; a session's locks outlive its transaction; a login could end
            -- its own other sessions.
            and (
                proname ~ '^(lo_|loread$|lowrite$)'
                or proname ~ '^pg_(try_)?advisory_lock(_shared)?$'
                or proname in ('pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message')
            )
            -- Who may not execute a function may not even try to revoke it.
            and has_function_privilege(oid, 'execute')
    loop
        execute format('revoke execute on function %s from public', routine);
    end loop;
    -- /readyz writes a message. Its arguments are others from PostgreSQL 17 on.
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_logical_emit_message' loop
        execute format('grant execute on function %s to pipeline_app, pipeline_forms', routine);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
    -- The import's tables.
    execute format('grant temporary on database %I to pipeline_member', current_database());
end
$$;

-- Without it there is no DO: a program that runs in the server.
grant usage on language plpgsql to pipeline_owner, pipeline_lookup;
revoke usage on language plpgsql from public;
"""


def upgrade():
    """Apply the revision."""
    installer(STOLEN)
    owned(CSV)
    owned(STORAGE)
    lookups(COUNTED)
    owned(TRIGGER)
