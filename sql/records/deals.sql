--:name deal_list :one
--:doc A page of deals and how many there are; deals_title, deals_created, deals_closing or a filter's index.
with filtered as not materialized (
    select deal.*, company.sort_key as company_key
    from deals as deal
    left join companies as company on company.organization_id = deal.organization_id and company.id = deal.company_id
    where
        (cast(:stage_id as bigint) is null or deal.stage_id = cast(:stage_id as bigint))
        and (cast(:company_id as bigint) is null or deal.company_id = cast(:company_id as bigint))
        and (cast(:contact_id as bigint) is null or deal.contact_id = cast(:contact_id as bigint))
        and (cast(:owner_id as bigint) is null or deal.owner_id = cast(:owner_id as bigint))
        and (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(concat_ws(' ', deal.title_key, company.sort_key), word) = 0
            )
        )
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                select deal.id
                from filtered as deal
                left join deal_stages as stage on stage.organization_id = deal.organization_id and stage.id = deal.stage_id
                left join users as owner on owner.id = deal.owner_id
                order by
                    case when :sort_by = 'title' and :sort_dir = 'ASC' then deal.title_key end asc,
                    case when :sort_by = 'title' and :sort_dir = 'DESC' then deal.title_key end desc,
                    case when :sort_by = 'value' and :sort_dir = 'ASC' then deal.value_minor end asc,
                    case when :sort_by = 'value' and :sort_dir = 'DESC' then deal.value_minor end desc,
                    case when :sort_by = 'stage_name' and :sort_dir = 'ASC' then sort_key(stage.name) collate "C" end asc,
                    case when :sort_by = 'stage_name' and :sort_dir = 'DESC' then sort_key(stage.name) collate "C" end desc nulls last,
                    case when :sort_by = 'company_name' and :sort_dir = 'ASC' then deal.company_key end asc,
                    case when :sort_by = 'company_name' and :sort_dir = 'DESC' then deal.company_key end desc nulls last,
                    case when :sort_by = 'owner_name' and :sort_dir = 'ASC' then sort_key(owner.name) collate "C" end asc,
                    case when :sort_by = 'owner_name' and :sort_dir = 'DESC' then sort_key(owner.name) collate "C" end desc nulls last,
                    case when :sort_by = 'expected_close_date' and :sort_dir = 'ASC' then deal.expected_close_date end asc,
                    case when :sort_by = 'expected_close_date' and :sort_dir = 'DESC' then deal.expected_close_date end desc nulls last,
                    case when :sort_by = 'created_at' and :sort_dir = 'ASC' then deal.created_at end asc,
                    case when :sort_by = 'created_at' and :sort_dir = 'DESC' then deal.created_at end desc,
                    case when :sort_dir = 'ASC' then deal.id end asc,
                    case when :sort_dir = 'DESC' then deal.id end desc
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            )
        ) with ordinality as picked (id, place)
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join deal_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name deal_get :one
--:doc One deal with the names of what it refers to; primary keys.
select deal.*
from deal_records as deal
where deal.id = cast(:id as bigint);

--:name deal_insert :scalar
--:doc A new deal, in the organization's currency unless one is given; answers its id.
insert into deals (
    title, value_minor, currency, stage_id, company_id, contact_id, owner_id, expected_close_date,
    product_line
)
values (
    :title,
    cast(:value as bigint),
    coalesce(cast(:currency as text), (select organization.currency from organizations as organization)),
    cast(:stage_id as bigint),
    cast(:company_id as bigint),
    cast(:contact_id as bigint),
    cast(:owner_id as bigint),
    cast(:expected_close_date as date),
    :product_line
)
returning id;

--:name deal_update :affected
--:doc Replace a deal's fields; primary key.
update deals
set
    title = :title,
    value_minor = cast(:value as bigint),
    currency = coalesce(cast(:currency as text), (select organization.currency from organizations as organization)),
    stage_id = cast(:stage_id as bigint),
    company_id = cast(:company_id as bigint),
    contact_id = cast(:contact_id as bigint),
    owner_id = cast(:owner_id as bigint),
    expected_close_date = cast(:expected_close_date as date),
    product_line = :product_line
where id = cast(:id as bigint);

--:name deal_delete :affected
--:doc Delete a deal that nothing refers to; primary key.
delete from deals
where id = cast(:id as bigint);

--:name deal_owner_possible :scalar
--:doc Whether a user has an active seat, or owns the deal already; primary keys.
select
    exists (
        select
        from organization_users as seat
        where seat.user_id = cast(:owner_id as bigint) and seat.seat_active
    )
    or exists (
        select
        from deals as deal
        where deal.id = cast(:id as bigint) and deal.owner_id = cast(:owner_id as bigint)
    );
