--:name notification_emails_get :one
--:doc The kinds of notifications that a user gets by email; all kinds without a row; primary key.
select
    coalesce(chosen.interviews, true) as interviews,
    coalesce(chosen.leads, true) as leads,
    coalesce(chosen.signatures, true) as signatures,
    coalesce(chosen.webhooks, true) as webhooks
from (select cast(:user_id as bigint) as user_id) as caller
left join notification_emails as chosen on chosen.user_id = caller.user_id;

--:name notification_emails_set :affected
--:doc Store the kinds of notifications that a user gets by email; primary key.
insert into notification_emails (user_id, interviews, leads, signatures, webhooks)
values (
    cast(:user_id as bigint),
    cast(:interviews as boolean),
    cast(:leads as boolean),
    cast(:signatures as boolean),
    cast(:webhooks as boolean)
)
on conflict (organization_id, user_id) do update
    set
        interviews = excluded.interviews,
        leads = excluded.leads,
        signatures = excluded.signatures,
        webhooks = excluded.webhooks;

--:name notification_emails_about :one
--:doc The look of the page that turns off emails, for an active seat; primary key.
select
    organization.name as organization_name,
    organization.branding,
    form_logo() as logo,
    organization.locale,
    organization.time_zone
from organizations as organization
where is_active_seat(cast(:user_id as bigint));
