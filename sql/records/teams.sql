--:name team_list :one
--:doc A page of teams with the total.
with filtered as not materialized (
    select team.*
    from team_records as team
    where
        team.organization_id is not null
        and found(team.name, cast(:search as text[])) --? search
        and team.id > cast(:after_id as bigint) --? after_id
        and team.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select team.*
    from filtered as team
    order by
        team.organization_id
        , team.id asc --? after_id
        , sort_key(team.name) collate "C" asc, team.id asc --/ sort_by=name
        , team.created_at asc, team.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name team_get :one
--:doc One team; primary key.
select team.*
from team_records as team
where team.id = cast(:id as bigint);

--:name team_insert :scalar
--:doc Insert a team; returns its id.
insert into teams (name)
values (:name)
returning id;

--:name team_update :affected
--:doc Rename a team; primary key.
update teams
set name = :name
where id = cast(:id as bigint);

--:name team_delete :affected
--:doc Delete a team without members; primary key.
delete from teams
where id = cast(:id as bigint);
