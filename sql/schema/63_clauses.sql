-- Clauses that contract templates name by data-clause. Contracts store their resolved content, so they are independent
-- of later versions.

set local role pipeline_owner;

create table app.clauses (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    name text not null check (length(name) between 1 and 255),
    content text not null,
    language text,
    version integer not null default 1 check (version >= 1),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.clauses is 'Clauses for contract templates.';
comment on column app.clauses.key is 'Name in data-clause, unique in the organization; fixed.';
comment on column app.clauses.name is 'Name for people.';
comment on column app.clauses.content is 'The text: HTML with merge tags.';
comment on column app.clauses.language is 'Language of the text, a BCP 47 tag; null for the template''s.';
comment on column app.clauses.version is 'Number of the version; each change increases it.';
comment on column app.clauses.warnings is 'Parts of the last sent content that a clause cannot keep: code and message.';

call app.share('app.clauses', 'pipeline_admin', 'key', 'name', 'content', 'language', 'warnings');
call app.record_changes('app.clauses', 'clauses', '{key, name, content, language, version}');

grant update (version) on app.clauses to pipeline_admin;

create function app.clause_used() returns trigger language plpgsql as $$
begin
    if exists (
        select from app.contract_templates as template
        where template.organization_id = old.organization_id and template.deleted_at is null
          and old.key = any (template.clauses)) then
        raise exception 'a contract template holds the clause' using errcode = '23503', table = 'contract_templates';
    end if;
    return old;
end
$$;
comment on function app.clause_used is 'Trigger: refuses to delete a clause of a current template, like a foreign key.';
create trigger used before delete on app.clauses for each row execute function app.clause_used();

create view app.clause_records with (security_invoker = true) as
select
    clause.id, clause.organization_id, clause.key, clause.name, clause.content, clause.language, clause.version,
    clause.warnings,
    clause.created_by, app.created_by_kind(clause.created_by, clause.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = clause.created_by),
        (select key.name from app.api_keys as key where key.id = clause.created_by_key)
    ) as created_by_name,
    app.iso(clause.created_at) as created_at, app.iso(clause.updated_at) as updated_at
from app.clauses as clause;
comment on view app.clause_records is 'Clauses as the API returns them; lists omit the content.';
call app.present('app.clause_records', 'pipeline_member', 'app.clauses');
