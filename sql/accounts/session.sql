--:name login_account :one
--:doc An email address's account and password hash; unique key on users.email_key.
select account.user_id, account.email, account.name, account.password_hash
from app.login_account(cast(:email as text)) as account;

--:name account_get :one
--:doc The caller's own account; primary key of users.
select account.user_id as id, account.email, account.name
from app.account(cast(:user_id as bigint)) as account;

--:name membership_list :many
--:doc A user's organizations with an active seat, by id; index on organization_users (user_id).
select member.*
from app.memberships(cast(:user_id as bigint)) as member;

--:name session_start :one
--:doc Start a session in the last organization; no row without a seat or after a password change.
select started.session_id, started.organization_id
from app.session_start(
    cast(:user_id as bigint),
    cast(:password_hash as text),
    cast(:organization_id as bigint),
    cast(:client as text),
    cast(:address as text),
    cast(:expires_at as timestamptz),
    cast(:token_hash as text),
    cast(:token_expires_at as timestamptz),
    cast(:family_hash as text)
) as started;

--:name login_recorded :scalar
--:doc Audit a login; primary keys.
select app.login_recorded(cast(:session_id as bigint), cast(:request_id as text));

--:name login_failed :scalar
--:doc Audit a wrong password; unique key on users.email_key.
select app.login_failed(
    cast(:email as text), cast(:client as text), cast(:address as text), cast(:request_id as text)
);

--:name refresh_token_rotate :one
--:doc Replace a refresh token; outcome is rotated, unknown, expired, no_seat or reused.
select rotation.outcome, rotation.session_id, rotation.user_id, rotation.organization_id
from app.refresh_token_rotate(
    cast(:token_hash as text),
    cast(:new_token_hash as text),
    cast(:expires_at as timestamptz),
    cast(:session_id as bigint),
    cast(:organization_id as bigint),
    cast(:family_hash as text)
) as rotation;

--:name session_logout :scalar
--:doc End the session of a refresh token or its family.
select app.session_logout(cast(:token_hash as text), cast(:family_hash as text));

--:name session_list :one
--:doc A page of a person's sessions, last used first, with the total; sessions_user.
with filtered as not materialized (
    select session.*
    from app.session_list(cast(:user_id as bigint)) as session
    where
        session.id is not null
        and session.id > cast(:after_id as bigint) --? after_id
        and session.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    (
        select cast(json_agg(record) as text)
        from (
            select
                session.id,
                iso(session.created_at) as created_at,
                iso(session.last_used_at) as last_used_at,
                session.client,
                session.address,
                session.id = cast(:session_id as bigint) as current
            from filtered as session
            order by
                session.id asc, --? after_id
                session.last_used_at desc, session.id desc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as record
    ) as data;

--:name session_end :scalar
--:doc End a person's session; false without one.
select app.session_end(cast(:user_id as bigint), cast(:session_id as bigint));

--:name sessions_end :scalar
--:doc End all sessions of a person but one; sessions_user.
select app.sessions_end(cast(:user_id as bigint), cast(:kept_id as bigint));

--:name organization_letterhead :one
--:doc The look and language of the current organization's emails; primary keys.
select
    organization.name as organization,
    organization.locale,
    organization.branding,
    logo.sha256 as logo
from organizations as organization
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id;

--:name session_arrived :scalar
--:doc Whether a session of home is in this cell; primary key.
select app.session_arrived(cast(:session_id as bigint));

--:name seat_choose :scalar
--:doc Note that a user works in an organization; false without a seat; primary key.
select app.seat_choose(cast(:user_id as bigint), cast(:organization_id as bigint));
