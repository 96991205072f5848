--:name team_list :one
--:doc A page of teams and how many there are; an organization has few.
with filtered as not materialized (
    select team.*
    from team_records as team
    where
        (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(plain(team.name), word) = 0
            )
        )
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record)
                from (
                    select team.*
                    from filtered as team
                    order by
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then sort_key(team.name) collate "C" end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then sort_key(team.name) collate "C" end desc,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then team.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then team.created_at end desc,
                        case when :sort_dir = 'ASC' then team.id end asc,
                        case when :sort_dir = 'DESC' then team.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name team_get :one
--:doc One team; primary key.
select team.*
from team_records as team
where team.id = cast(:id as bigint);

--:name team_insert :scalar
--:doc A new team; answers its id.
insert into teams (
    name
)
values (
    :name
)
returning id;

--:name team_update :affected
--:doc Rename a team; primary key.
update teams
set
    name = :name
where id = cast(:id as bigint);

--:name team_delete :affected
--:doc Delete a team that nobody belongs to; primary key.
delete from teams
where id = cast(:id as bigint);
