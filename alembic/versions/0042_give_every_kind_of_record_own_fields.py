"""Give every kind of record own fields: the fields of contracts move into a table of all kinds.

Release: the former release cannot read the fields of contracts during and after the migration.

Rollback: not possible; the former table is gone.
"""

from pipeline.database import migrations

revision = "0042"
down_revision = "0041"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
create table app.fields (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null check (kind in ('lead', 'company', 'contact', 'deal', 'contract')),
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    label text not null check (length(label) between 1 and 255),
    type text not null
        check (type in ('text', 'number', 'money', 'date', 'yes_no', 'choice', 'choices', 'url', 'email')),
    options text[] not null default '{}',
    "default" jsonb,
    required boolean not null default false,
    description text check (length(description) <= 2000),
    position integer not null default 0,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, kind, key)
);
comment on table app.fields is 'Own fields of leads, companies, contacts, deals and contracts.';
comment on column app.fields.kind is 'Kind of the records: lead, company, contact, deal or contract; fixed.';
comment on column app.fields.key is 'Name in the record''s fields, unique in the kind; fixed.';
comment on column app.fields.label is 'Name for people.';
comment on column app.fields.type is 'text, number, money, date, yes_no, choice, choices, url or email; fixed.';
comment on column app.fields.options is 'The values of a choice.';
comment on column app.fields."default" is 'Value of records that are created without one.';
comment on column app.fields.required is 'Whether a record, and of contracts an active one, needs a value.';
comment on column app.fields.description is 'What the field means.';
comment on column app.fields.position is 'Position among the fields of the kind, ascending.';

call app.share('app.fields', 'pipeline_admin', 'kind', 'key', 'label', 'type', 'options', '"default"', 'required',
               'description', 'position');

-- Row-level security binds the owner, too.
alter table app.contract_fields no force row level security;
alter table app.fields no force row level security;
insert into app.fields (
    organization_id, id, kind, key, label, type, options, "default", required, position, created_by, created_by_key,
    created_at, updated_at)
overriding system value
select
    organization_id, id, 'contract', key, label, type, options, "default", required,
    row_number() over (partition by organization_id order by id) - 1, created_by, created_by_key, created_at, updated_at
from app.contract_fields;
select setval(pg_get_serial_sequence('app.fields', 'id'), greatest(max(id), 1), max(id) is not null) from app.fields;
alter table app.fields force row level security;
drop view app.contract_field_records;
drop table app.contract_fields;

alter table app.changes no force row level security;
update app.changes set type = 'fields' where type = 'contract-fields';
alter table app.changes force row level security;

call app.record_changes('app.fields', 'fields',
    '{kind, key, label, type, options, default, required, description, position}');

create view app.field_records with (security_invoker = true) as
select
    field.id, field.organization_id, field.kind, field.key, field.label, field.type, field.options, field."default",
    field.required, field.description, field.position,
    field.created_by, app.created_by_kind(field.created_by, field.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = field.created_by),
        (select key.name from app.api_keys as key where key.id = field.created_by_key)
    ) as created_by_name,
    app.iso(field.created_at) as created_at, app.iso(field.updated_at) as updated_at
from app.fields as field;
comment on view app.field_records is 'Own fields as the API returns them.';
call app.present('app.field_records', 'pipeline_member', 'app.fields');
""")
