-- Own fields of leads, companies, contacts, deals and contracts. A record keeps its values in its column fields, by key.

set local role pipeline_owner;

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

-- A form fills own fields of its lead.
create policy public_form on app.fields for select to pipeline_public using (kind = 'lead');
grant select (organization_id, id, kind, key, type, options, "default", position) on app.fields to pipeline_public;

create function app.field_lines(fields jsonb) returns text
    language sql immutable parallel safe
    return (select string_agg(E'\n' || (item #>> '{}'), '')
            from jsonb_path_query(fields, '$.*[*] ? (@.type() == "string")') as item);
comment on function app.field_lines is 'The texts of own fields for search, each after a line break.';

-- In SQL, so that PostgreSQL inlines it: a record without own fields costs no call.
create function app.field_text(fields jsonb) returns text
    language sql immutable parallel safe
    return case when fields = '{}' then '' else coalesce(app.field_lines(fields), '') end;
comment on function app.field_text is 'The texts of own fields for search; empty without any.';

create function app.field_cell(value jsonb) returns text
    language sql immutable parallel safe
    return case jsonb_typeof(value)
        when 'array' then (select string_agg(item, '; ') from jsonb_array_elements_text(value) as item)
        else value #>> '{}'
    end;
comment on function app.field_cell is 'The value of an own field as a cell of a file.';
grant execute on function app.field_cell to pipeline_member;

grant execute on function app.field_lines, app.field_text
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
