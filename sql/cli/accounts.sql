--:name organization_insert :scalar
--:doc Insert an organization; returns its id.
insert into app.organizations (name, slug, time_zone, currency, locale)
values (:name, :slug, :time_zone, :currency, :locale)
returning id;

--:name organization_find :scalar
--:doc The organization's id for a slug; unique key.
select organization.id from app.organizations as organization where organization.slug = cast(:slug as text);

--:name user_find :one
--:doc The user with an address, case-insensitive; unique key on users.email_key.
select account.id, account.name, account.password_hash
from app.users as account
where account.email_key = app.email_key(cast(:email as text));

--:name user_put :scalar
--:doc Insert or rename the user of an address; returns the id.
insert into app.users (name, email) values (:name, :email)
on conflict (email_key) do update set name = excluded.name
returning id;

--:name user_set_password :scalar
--:doc Set a user's password, confirm the address and end all sessions.
select app.password_set(cast(:id as bigint), cast(:password_hash as text), null);

--:name seat_put :affected
--:doc Give a user an active seat with a role.
insert into app.organization_users (organization_id, user_id, role)
values (cast(:organization_id as bigint), cast(:user_id as bigint), :role)
on conflict (organization_id, user_id) do update set role = excluded.role, seat_active = true;

--:name invitation_withdraw :affected
--:doc Delete the open invitation of an address with a seat.
delete from app.invitations
where
    organization_id = cast(:organization_id as bigint)
    and email_key = app.email_key(cast(:email as text))
    and ended_at is null;

--:name seat_find :one
--:doc The first active seat with the given address, role and organization.
select seat.user_id, seat.organization_id, organization.slug, seat.role
from app.organization_users as seat
inner join app.users as account on account.id = seat.user_id
inner join app.organizations as organization on organization.id = seat.organization_id
where
    seat.seat_active
    and account.email_key = app.email_key(cast(:email as text)) --? email
    and seat.role = cast(:role as text) --? role
    and organization.slug = cast(:slug as text) --? slug
order by seat.organization_id, seat.user_id
limit 1;

--:name invite_token_newest :scalar
--:doc An organization's newest open invite token; its primary key.
select invite.token
from app.interview_invites as invite
where invite.organization_id = cast(:organization_id as bigint) and invite.status in ('pending', 'started')
order by invite.id desc
limit 1;

--:name session_open :scalar
--:doc Insert a session without refresh token; returns its id.
insert into app.sessions (user_id, organization_id, client, expires_at)
values (
    cast(:user_id as bigint),
    cast(:organization_id as bigint),
    'pipeline',
    now() + make_interval(secs => cast(:seconds as double precision))
)
returning id;
