-- Own fields of contracts. A contract keeps its values in app.contracts.fields, by key.

set local role pipeline_owner;

create table app.contract_fields (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    label text not null check (length(label) between 1 and 255),
    type text not null check (type in ('text', 'number', 'money', 'date', 'yes_no', 'choice')),
    options text[] not null default '{}',
    "default" jsonb,
    required boolean not null default false,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.contract_fields is 'Own fields of contracts.';
comment on column app.contract_fields.key is
    'Name in the tag {{Contract.fields.key}}, unique in the organization; fixed.';
comment on column app.contract_fields.label is 'Name for people.';
comment on column app.contract_fields.type is 'text, number, money, date, yes_no or choice; fixed.';
comment on column app.contract_fields.options is 'The values of a choice.';
comment on column app.contract_fields."default" is 'Value of contracts that are created without one.';
comment on column app.contract_fields.required is 'Whether an active contract needs a value.';

call app.share('app.contract_fields', 'pipeline_admin', 'key', 'label', 'type', 'options', '"default"', 'required');
call app.record_changes('app.contract_fields', 'contract-fields');

create view app.contract_field_records with (security_invoker = true) as
select
    field.id, field.organization_id, field.key, field.label, field.type, field.options, field."default", field.required,
    field.created_by, app.created_by_kind(field.created_by, field.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = field.created_by),
        (select key.name from app.api_keys as key where key.id = field.created_by_key)
    ) as created_by_name,
    app.iso(field.created_at) as created_at, app.iso(field.updated_at) as updated_at
from app.contract_fields as field;
comment on view app.contract_field_records is 'Own fields of contracts as the API returns them.';
call app.present('app.contract_field_records', 'pipeline_member', 'app.contract_fields');
