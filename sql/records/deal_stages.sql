--:name deal_stage_list :one
--:doc A page of deal stages with the total; deal_stages_position.
with filtered as not materialized (
    select stage.*
    from deal_stage_records as stage
    where
        stage.organization_id is not null
        and stage.id > cast(:after_id as bigint) --? after_id
        and stage.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select stage.*
    from filtered as stage
    order by
        stage.organization_id
        , stage.id asc --? after_id
        , stage.position asc, stage.id asc --/ sort_by=position
        , sort_key(stage.name) collate "C" asc, stage.id asc --/ sort_by=name
        , stage.created_at asc, stage.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name deal_stage_get :one
--:doc One deal stage; primary key.
select stage.*
from deal_stage_records as stage
where stage.id = cast(:id as bigint);

--:name deal_stage_insert :scalar
--:doc Insert a deal stage, by default the last; returns its id; deal_stages_position.
insert into deal_stages (name, position)
select
    cast(:name as text),
    coalesce(cast(:position as integer), least(coalesce(max(stage.position) + 1, 0), 1000000))
from deal_stages as stage
returning id;

--:name deal_stage_update :affected
--:doc Replace a deal stage's name and a given position; primary key.
update deal_stages
set name = :name, position = coalesce(cast(:position as integer), position)
where id = cast(:id as bigint);

--:name deal_stage_delete :affected
--:doc Delete a deal stage without deals; primary key.
delete from deal_stages
where id = cast(:id as bigint);
