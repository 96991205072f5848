--:name deal_stage_list :one
--:doc A page of deal stages and how many there are; deal_stages_position.
select
    (select count(*) from deal_stages) as total,
    cast(json_agg(record) as text) as data
from (
    select stage.*
    from deal_stage_records as stage
    order by
        stage.organization_id
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
--:doc A new deal stage; answers its id.
--:fields deal_stage: name, position
insert into deal_stages (
    name --* deal_stage
)
values (
    :name --* deal_stage
)
returning id;

--:name deal_stage_update :affected
--:doc Replace a deal stage's fields; primary key.
update deal_stages
set
    name = :name --* deal_stage
where id = cast(:id as bigint);

--:name deal_stage_delete :affected
--:doc Delete a deal stage at which no deal stands; primary key.
delete from deal_stages
where id = cast(:id as bigint);
