--:name references_missing :many
--:doc The fields of {"field": [kind, id]} without a record in the organization; primary keys.
select given.field
from json_each(cast(:named as json)) as given (field, reference)
cross join lateral (select cast(given.reference ->> 1 as bigint) as id) as named
where
    not case given.reference ->> 0
        when 'active_seat'
            then
                exists (
                    select from organization_users as record
                    where record.user_id = named.id and record.seat_active
                )
        when 'company' then exists (select from companies as record where record.id = named.id)
        when 'contact' then exists (select from contacts as record where record.id = named.id)
        when 'deal' then exists (select from deals as record where record.id = named.id)
        when 'deal_stage' then exists (select from deal_stages as record where record.id = named.id)
        when 'definition' then exists (select from configurator_definitions as record where record.id = named.id)
        when 'invite' then exists (select from interview_invites as record where record.id = named.id)
        when 'lead' then exists (select from leads as record where record.id = named.id)
        when 'seat' then exists (select from organization_users as record where record.user_id = named.id)
        when 'team' then exists (select from teams as record where record.id = named.id)
        when 'interview_template'
            then
                exists (
                    select from interview_templates as record where record.id = named.id and record.deleted_at is null
                )
        when 'any_contract_template'
            then exists (select from contract_templates as record where record.id = named.id)
        when 'contract_template' then exists (
            select from contract_templates as record where record.id = named.id and record.deleted_at is null
        )
    end
order by given.field;

--:name keys_taken :many
--:doc The fields of {"field": [kind, key, own id]} with a slug or external id of another record; unique keys.
select given.field
from json_each(cast(:named as json)) as given (field, reference)
cross join lateral (select given.reference ->> 1 as key) as named
where
    case given.reference ->> 0
        when 'company' then (select record.id from companies as record where record.external_id = named.key)
        when 'contact' then (select record.id from contacts as record where record.external_id = named.key)
        when 'contract' then (select record.id from contracts as record where record.external_id = named.key)
        when 'deal' then (select record.id from deals as record where record.external_id = named.key)
        when 'lead' then (select record.id from leads as record where record.external_id = named.key)
        when 'quote' then (select record.id from quotes as record where record.external_id = named.key)
        when 'definition' then (select record.id from configurator_definitions as record where record.slug = named.key)
        when 'interview_template'
            then (
                select record.id from interview_templates as record
                where record.slug = named.key and record.deleted_at is null
            )
        when 'public_form'
            then (
                select record.id from interview_templates as record
                where record.public_slug = named.key and record.deleted_at is null
            )
    end <> coalesce(cast(given.reference ->> 2 as bigint), 0)
order by given.field;
