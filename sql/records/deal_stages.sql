--:name deal_stage_list :one
--:doc A page of deal stages and how many there are; deal_stages_position.
select
    (select count(*) from deal_stages) as total,
    cast(
        coalesce(
            (
                select json_agg(record)
                from (
                    select stage.*
                    from deal_stage_records as stage
                    order by
                        case when :sort_by = 'position' and :sort_dir = 'ASC' then stage.position end asc,
                        case when :sort_by = 'position' and :sort_dir = 'DESC' then stage.position end desc,
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then sort_key(stage.name) collate "C" end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then sort_key(stage.name) collate "C" end desc,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then stage.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then stage.created_at end desc,
                        case when :sort_dir = 'ASC' then stage.id end asc,
                        case when :sort_dir = 'DESC' then stage.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name deal_stage_get :one
--:doc One deal stage; primary key.
select stage.*
from deal_stage_records as stage
where stage.id = cast(:id as bigint);

--:name deal_stage_insert :scalar
--:doc A new deal stage; answers its id.
insert into deal_stages (
    name, position
)
values (
    :name,
    cast(:position as integer)
)
returning id;

--:name deal_stage_update :affected
--:doc Replace a deal stage's fields; primary key.
update deal_stages
set
    name = :name,
    position = cast(:position as integer)
where id = cast(:id as bigint);

--:name deal_stage_delete :affected
--:doc Delete a deal stage at which no deal stands; primary key.
delete from deal_stages
where id = cast(:id as bigint);
