--:name clause_list :one
--:doc A page of clauses without content, with the total; an organization has few.
with filtered as not materialized (
    select clause.*
    from clause_records as clause
    where
        clause.organization_id is not null
        and found(concat_ws(' ', clause.name, clause.key), cast(:search as text[])) --? search
        and clause.id > cast(:after_id as bigint) --? after_id
        and clause.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select
        clause.id,
        clause.organization_id,
        clause.key,
        clause.name,
        clause.language,
        clause.version,
        clause.created_by,
        clause.created_by_kind,
        clause.created_by_name,
        clause.created_at,
        clause.updated_at
    from filtered as clause
    order by
        clause.organization_id
        , clause.id asc --? after_id
        , sort_key(clause.name) collate "C" asc, clause.id asc --/ sort_by=name
        , clause.key collate "C" asc, clause.id asc --/ sort_by=key
        , clause.created_at asc, clause.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name clause_get :one
--:doc One clause; primary key.
select clause.*
from clause_records as clause
where clause.id = cast(:id as bigint);

--:name clause_contents :many
--:doc The current texts of the clauses with these keys; clauses_organization_id_key_key.
select
    clause.key,
    clause.content,
    clause.language
from clauses as clause
where clause.key = any(cast(:keys as text[]));

--:name clause_keys :scalar
--:doc Lock and return the clauses' keys.
select coalesce(array_agg(kept.key), '{}')
from (
    select clause.key
    from clauses as clause
    for key share
) as kept;

--:name clauses_hold :affected
--:doc Hold clauses against deletions on earlier snapshots; clauses_organization_id_key_key, primary key.
update clauses as clause
set version = clause.version
where
    clause.id in (
        select held.id
        from clauses as held
        where held.key = any(cast(:keys as text[]))
        order by held.key
        for no key update
    );

--:name clause_insert :scalar
--:doc Insert a clause; returns its id.
insert into clauses (key, name, content, language, warnings)
values (:key, :name, :content, :language, cast(:warnings as jsonb))
returning id;

--:name clause_update :affected
--:doc Store a changed clause as its next version; primary key.
update clauses as clause
set
    name = :name,
    content = :content,
    language = :language,
    warnings = coalesce(cast(:warnings as jsonb), clause.warnings),
    version = clause.version + 1
where
    clause.id = cast(:id as bigint)
    and row(clause.name, clause.content, clause.language)
    is distinct from row(cast(:name as text), cast(:content as text), cast(:language as text));

--:name clause_delete :affected
--:doc Delete a clause that no current template holds; contracts keep their text; primary key.
delete from clauses
where id = cast(:id as bigint);
