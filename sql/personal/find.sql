--:name person_find :one
--:doc The record ids of a lead's person, by lead, contact and email addresses, also former ones of signers; an index each.
-- An address of a role may have other people; `addresses` has none that others keep.
with given as materialized (
    select lead.id, lead.name, lead.email, lead.email_key, lead.contact_id
    from leads as lead
    where lead.id = cast(:id as bigint)
),

address as materialized (
    select given.email_key
    from given
    where given.email_key is not null
    union
    select contact.email_key
    from given
    join contacts as contact on contact.id = given.contact_id
    where contact.email_key is not null
),

contact as materialized (
    select known.id, known.company_id
    from contacts as known
    where
        known.id = (select given.contact_id from given)
        or (
            known.email_key = any(array(select address.email_key from address))
            and (not is_role_address(known.email) or names_agree(known.name, (select given.name from given)))
        )
),

lead as materialized (
    select known.id, known.deal_id, known.company_id
    from leads as known
    where
        known.id = (select given.id from given)
        or known.contact_id = any(array(select contact.id from contact))
        or (
            known.email_key = any(array(select address.email_key from address))
            and (not is_role_address(known.email) or names_agree(known.name, (select given.name from given)))
        )
),

invite as materialized (
    select known.id
    from interview_invites as known
    where
        known.lead_id = any(array(select lead.id from lead))
        or (
            known.email_key = any(array(select address.email_key from address))
            and (
                not is_role_address(known.recipient_email)
                or (
                    known.lead_id is null
                    and names_agree(known.recipient_name, (select given.name from given))
                )
            )
        )
),

email as (
    select known.id
    from emails as known
    where
        known.lead_id = any(array(select lead.id from lead))
        or known.contact_id = any(array(select contact.id from contact))
        or known.invite_id = any(array(select invite.id from invite))
        -- An email with an account link belongs to the account's user.
        or (
            known.to_email_key = any(array(select address.email_key from address))
            and known.link_id is null
            and (
                not is_role_address(known.to_email)
                or coalesce(known.lead_id, known.contact_id, known.invite_id) is null
            )
        )
),

signer as materialized (
    select known.id, known.request_id
    from signature_signers as known
    where
        known.email_key = any(array(select address.email_key from address))
        and (not is_role_address(known.email) or names_agree(known.name, (select given.name from given)))
),

deal as (
    select known.id
    from deals as known
    where
        known.id = any(array(select lead.deal_id from lead))
        or known.contact_id = any(array(select contact.id from contact))
),

company as (
    select contact.company_id as id from contact
    union
    select lead.company_id from lead
)

select
    given.id,
    given.name,
    given.email,
    array(
        select address.email_key
        from address
        where
            not is_role_address(address.email_key)
            or not exists (
                select from leads as other
                where other.email_key = address.email_key and other.id <> all(array(select lead.id from lead))
            )
            and not exists (
                select from contacts as other
                where other.email_key = address.email_key and other.id <> all(array(select contact.id from contact))
            )
        order by 1
    ) as addresses,
    array(select lead.id from lead order by 1) as leads,
    array(select contact.id from contact order by 1) as contacts,
    array(select invite.id from invite order by 1) as invites,
    array(select email.id from email order by 1) as emails,
    array(select signer.id from signer order by 1) as signers,
    array(select distinct signer.request_id from signer order by 1) as requests,
    array(
        select event.id
        from signature_events as event
        where event.former_email_key = any(array(select address.email_key from address))
        order by 1
    ) as corrections,
    array(select deal.id from deal order by 1) as deals,
    array(select company.id from company where company.id is not null order by 1) as companies
from given;

--:name person_words :one
--:doc The person's names, addresses, telephone numbers, job titles and texts of own fields; primary keys.
with record as (
    select lead.name, lead.email, lead.phone, lead.job_title
    from leads as lead
    where lead.id = any(cast(:leads as bigint[]))
    union all
    select contact.name, contact.email, contact.phone, contact.job_title
    from contacts as contact
    where contact.id = any(cast(:contacts as bigint[]))
    union all
    select invite.recipient_name, invite.recipient_email, null, null
    from interview_invites as invite
    where invite.id = any(cast(:invites as bigint[]))
    union all
    select signer.name, signer.email, null, null
    from signature_signers as signer
    where signer.id = any(cast(:signers as bigint[]))
    union all
    select
        coalesce(event.corrections -> 'name' ->> 'old', signer.name), event.corrections -> 'email' ->> 'old', null, null
    from signature_events as event
    join signature_signers as signer
        on signer.organization_id = event.organization_id and signer.id = event.signer_id
    where event.id = any(cast(:corrections as bigint[]))
),

own as (
    select 'lead' as kind, entry.key, entry.value
    from leads as lead
    cross join jsonb_each(lead.fields) as entry
    where lead.id = any(cast(:leads as bigint[]))
    union all
    select 'contact', entry.key, entry.value
    from contacts as contact
    cross join jsonb_each(contact.fields) as entry
    where contact.id = any(cast(:contacts as bigint[]))
)

select
    array(
        select distinct own.value #>> '{}'
        from own
        left join fields as field on field.kind = own.kind and field.key = own.key
        where
            jsonb_typeof(own.value) = 'string'
            and length(own.value #>> '{}') > 1
            and (field.type is null or field.type in ('text', 'url', 'email'))
    ) as texts,
    array(select distinct record.name from record where length(record.name) > 1) as names,
    array(
        select distinct form.address
        from record
        -- As stored and as shown.
        cross join lateral (values (record.email), (domain_shown(record.email))) as form (address)
        where
            form.address is not null
            and (
                not is_role_address(record.email)
                or email_key(record.email) = any(cast(:addresses as text[]))
            )
    ) as emails,
    array(select distinct record.phone from record where record.phone is not null) as phones,
    array(select distinct record.job_title from record where length(record.job_title) > 1) as titles;

--:name person_lock :one
--:doc Lock a person's leads, contacts and invites; primary keys.
with lead as (
    select from leads as known where known.id = any(cast(:leads as bigint[])) order by known.id for update
),

contact as (
    select from contacts as known where known.id = any(cast(:contacts as bigint[])) order by known.id for update
),

invite as (
    select from interview_invites as known where known.id = any(cast(:invites as bigint[])) order by known.id for update
)

select
    (select count(*) from lead) as leads,
    (select count(*) from contact) as contacts,
    (select count(*) from invite) as invites;

--:name erasure_lock :one
--:doc Wait for another erasure of the organization: two lock the records that name a person in no common order.
select pg_advisory_xact_lock(
    hashtextextended('erasure', cast(nullif(current_setting('app.organization_id', true), '') as bigint))
) as locked;

--:name person_following_lock :many
--:doc Block new webhook messages, possible copies of erased records; primary key.
select following.webhook_id
from webhook_states as following
order by following.webhook_id
-- Blocks the maker of messages (`for update`), but no sender: their lock orders differ.
for key share;
