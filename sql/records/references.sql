--:name references_missing :many
--:doc The fields of {"field": [kind, id]} without a record in the organization; primary keys.
select given.field
from json_each(cast(:named as json)) as given (field, reference)
cross join lateral (select cast(given.reference ->> 1 as bigint) as id) as named
where
    not case given.reference ->> 0
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

--:name slugs_taken :many
--:doc The fields of {"field": [kind, slug]} with a slug of another record; unique keys.
select given.field
from json_each(cast(:named as json)) as given (field, reference)
cross join lateral (select given.reference ->> 1 as slug) as named
where
    case given.reference ->> 0
        when 'definition'
            then
                exists (
                    select from configurator_definitions as record
                    where record.slug = named.slug and record.id is distinct from cast(:own_id as bigint)
                )
        when 'interview_template'
            then
                exists (
                    select from interview_templates as record
                    where
                        record.slug = named.slug
                        and record.deleted_at is null
                        and record.id is distinct from cast(:own_id as bigint)
                )
        when 'public_form' then exists (
            select from interview_templates as record
            where
                record.public_slug = named.slug
                and record.deleted_at is null
                and record.id is distinct from cast(:own_id as bigint)
        )
    end
order by given.field;
