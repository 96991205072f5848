--:name password_hash :scalar
--:doc The hash of a person's password, before the transaction has taken on a role; primary key of users.
select app.password_hash(cast(:user_id as bigint));

--:name password_change :scalar
--:doc Replace the password that was checked and end the other sessions; answers false when it has changed since.
select app.password_change(
    cast(:user_id as bigint), cast(:known_hash as text), cast(:new_hash as text), cast(:session_id as bigint)
);

--:name password_forgot :scalar
--:doc Write the link for a new password when somebody has this address, and take as long when nobody has.
select app.password_forgot(cast(:email as text), cast(:expires_at as timestamptz));

--:name account_link :one
--:doc What a link that is still good is for; unique key on account_links.token_hash.
select
    link.kind,
    link.user_id,
    link.organization_id,
    link.organization_name,
    link.branding,
    link.locale,
    link.email,
    link.name,
    link.password_hash
from app.account_link(cast(:token_hash as text)) as link;

--:name password_reset :scalar
--:doc Use a link for a new password and end all sessions; answers false when it is not good any more.
select app.password_reset(cast(:token_hash as text), cast(:password_hash as text));

--:name account_link_mail :one
--:doc What the email of a link tells, once it is to be sent; primary keys.
select
    link.id,
    link.kind,
    link.expires_at,
    link.used_at is null and link.expires_at > now() as good,
    coalesce(seat.invited_email, account.email) as email,
    coalesce(seat.invited_name, account.name) as name,
    seat.status as seat_status,
    organization.name as organization,
    organization.branding,
    organization.locale,
    organization.time_zone,
    logo.sha256 as logo
from account_links as link
inner join organizations as organization on organization.id = link.organization_id
inner join organization_users as seat
    on seat.organization_id = link.organization_id and seat.user_id = link.user_id
left join users as account on account.id = link.user_id
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id
where link.id = cast(:id as bigint);

--:name account_link_issue :scalar
--:doc Keep the hash of the token that an email about to be sent carries; primary key.
select app.account_link_issue(cast(:id as bigint), cast(:token_hash as text));
