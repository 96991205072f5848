--:name deal_list :one
--:doc A page of deals with the total; indexes for filters and orders of its columns, deals_fields, deals_search_trigrams.
with
hit as materialized (select search_ids('deals', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select deal.*
    from deals as deal
    where
        deal.organization_id is not null
        and deal.external_id = cast(:external_id as text) --? external_id
        and deal.stage_id = cast(:stage_id as bigint) --? stage_id
        and deal.company_id = cast(:company_id as bigint) --? company_id
        and deal.contact_id = cast(:contact_id as bigint) --? contact_id
        and deal.owner_id = cast(:owner_id as bigint) --? owner_id
        and deal.value_key >= cast(ceil(cast(:value_min as numeric) * 1000) as bigint) --? value_min
        and deal.value_key <= cast(floor(cast(:value_max as numeric) * 1000) as bigint) --? value_max
        and deal.expected_close_date >= cast(:expected_close_from as date) --? expected_close_from
        and deal.expected_close_date <= cast(:expected_close_to as date) --? expected_close_to
        and deal.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and deal.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and coalesce(deal.fields @> cast(:fields as jsonb), false) --? fields
        and coalesce(deal.fields @@ cast(:bounds as jsonpath), false) --? bounds
        and deal.id > cast(:after_id as bigint) --? after_id
        and deal.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        cast(:total as bigint), --? total
        (select count(*) from filtered), --? filtered, !after_id, !total
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'deals'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select deal.id
                from filtered as deal
                left join companies as company on deal.organization_id = company.organization_id and deal.company_id = company.id --? sort_by=company_name
                left join deal_stages as stage on deal.organization_id = stage.organization_id and deal.stage_id = stage.id --? sort_by=stage_name
                left join users as owner on deal.owner_id = owner.id --? sort_by=owner_name
                order by
                    deal.organization_id
                    , deal.id asc --? after_id
                    , deal.title_key asc, deal.id asc --/ sort_by=title
                    , deal.value_key asc, deal.id asc --/ sort_by=value
                    , company.sort_key asc nulls last, deal.id asc --/ sort_by=company_name
                    , deal.expected_close_date asc nulls last, deal.id asc --/ sort_by=expected_close_date
                    , deal.created_at asc, deal.id asc --/ sort_by=created_at
                    , deal.updated_at asc, deal.id asc --/ sort_by=updated_at
                    , sort_key(deal.fields ->> cast(:sort_field as text)) collate "C" asc nulls last, deal.id asc --/ sort_by=own_text
                    , deal.fields -> cast(:sort_field as text) asc nulls last, deal.id asc --/ sort_by=own_value
                    , stage.name_key asc nulls last, deal.id asc --/ sort_by=stage_name
                    , owner.name_key asc nulls last, deal.id asc --/ sort_by=owner_name
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join deal_records as record on record.id = page.id
    ) as data;

--:name deal_get :one
--:doc One deal with its references' names; primary keys.
select deal.*
from deal_records as deal
where deal.id = cast(:id as bigint);

--:name deal_currency :scalar
--:doc A deal's currency, USD without the deal; primary key.
select coalesce((select deal.currency from deals as deal where deal.id = cast(:id as bigint)), 'USD');

--:name deal_batch_lock :many
--:doc Lock deals by ids or external ids; returns the ids in order; primary key, deals_external_id.
select deal.id
from deals as deal
where deal.id = any(cast(:ids as bigint[])) or deal.external_id = any(cast(:external_ids as text[]))
order by deal.id
for update;

--:name deal_insert :many
--:doc Insert deals from a JSON array; returns their ids, which rise in its order.
insert into deals (
    title, currency, stage_id, company_id, contact_id, owner_id, expected_close_date, product_line, external_id,
    value_minor,
    fields
)
select
    given.title, given.currency, given.stage_id, given.company_id, given.contact_id, given.owner_id,
    given.expected_close_date, given.product_line, given.external_id,
    given.value_minor,
    coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as deals), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name deal_update :affected
--:doc Replace the fields of deals from a JSON array with ids; primary key.
update deals as deal
set
    title = given.title,
    currency = given.currency,
    stage_id = given.stage_id,
    company_id = given.company_id,
    contact_id = given.contact_id,
    owner_id = given.owner_id,
    expected_close_date = given.expected_close_date,
    product_line = given.product_line,
    external_id = given.external_id,
    value_minor = given.value_minor,
    fields = coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as deals), cast(:rows as json)) as given
where deal.id = given.id;

--:name deal_delete :affected
--:doc Delete deals; primary key.
delete from deals
where id = any(cast(:ids as bigint[]));
