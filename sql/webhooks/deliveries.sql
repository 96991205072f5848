--:name webhook_delivery_list :one
--:doc A page of a webhook's deliveries, newest first, with the total; webhook_deliveries_webhook.
with filtered as not materialized (
    select delivery.id
    from webhook_deliveries as delivery
    where
        delivery.webhook_id = cast(:webhook_id as bigint)
        and delivery.status = any(cast(:status as text[])) --? status
        and delivery.id > cast(:after_id as bigint) --? after_id
        and delivery.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select delivery.id
                from filtered as delivery
                order by
                    delivery.id asc, --? after_id
                    delivery.id desc
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join webhook_delivery_records as record on record.id = page.id
    ) as data
from webhook_records as webhook
where webhook.id = cast(:webhook_id as bigint);

--:name webhook_delivery_get :one
--:doc A webhook's delivery; `payload` is null if deleted, or not of these events; primary keys.
select
    delivery.*,
    cast(case when message.event = any(cast(:events as text[])) then message.body end as json) as payload
from webhook_delivery_records as delivery
join webhook_deliveries as message on message.organization_id = delivery.organization_id and message.id = delivery.id
where delivery.webhook_id = cast(:webhook_id as bigint) and delivery.id = cast(:id as bigint);

--:name webhook_delivery_insert :scalar
--:doc Insert a webhook's message, due by a trigger (app.delivery_queued); returns its id.
insert into webhook_deliveries (webhook_id, event, record_type, record_id, request_id, body)
values (
    cast(:webhook_id as bigint),
    :event,
    :record_type,
    cast(:record_id as bigint),
    cast(:request_id as text),
    :body
)
returning id;

--:name webhook_delivery_reopen :affected
--:doc Retry a delivery now; resets its attempts unless pending; primary key.
update webhook_deliveries
set
    attempts = case when status = 'pending' then attempts else 0 end,
    status = 'pending',
    next_attempt_at = case when status <> 'pending' or next_attempt_at is not null then now() end,
    completed_at = null
where webhook_id = cast(:webhook_id as bigint) and id = cast(:id as bigint);

--:name webhook_delivery_kept :one
--:doc Whether a delivery's body is still stored; primary key.
select delivery.body is not null as kept
from webhook_deliveries as delivery
where delivery.webhook_id = cast(:webhook_id as bigint) and delivery.id = cast(:id as bigint);
