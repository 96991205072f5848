--:name authenticate :one
--:doc The caller's seat, and the row-level-security context of the transaction; primary key of organization_users.
select
    seat.user_id,
    seat.organization_id,
    seat.role,
    set_config('app.organization_id', cast(seat.organization_id as text), true) as organization_context,
    set_config('app.user_id', cast(seat.user_id as text), true) as user_context,
    set_config('role', 'pipeline_' || seat.role, true) as database_role
from app.authenticate(cast(:user_id as bigint), cast(:organization_id as bigint)) as seat;

--:name role_leave :one
--:doc Become the login again that the transaction was begun with; its row-level-security context stays.
select set_config('role', 'none', true) as database_role;

--:name login_account :one
--:doc The account of an email address with its password hash; unique key on users.email_key.
select account.user_id, account.email, account.name, account.password_hash
from app.login_account(cast(:email as text)) as account;

--:name account_get :one
--:doc The caller's own account; primary key of users.
select account.user_id as id, account.email, account.name
from app.account(cast(:user_id as bigint)) as account;

--:name membership_list :many
--:doc The organizations in which a user has an active seat, by id; index on organization_users (user_id).
select
    member.organization_id as id,
    member.name,
    member.slug,
    member.role,
    member.time_zone,
    member.currency,
    member.locale
from app.memberships(cast(:user_id as bigint)) as member;

--:name refresh_token_issue :scalar
--:doc Store the first refresh token of a new family.
select app.refresh_token_issue(
    cast(:user_id as bigint),
    cast(:organization_id as bigint),
    cast(:family_id as uuid),
    cast(:token_hash as text),
    cast(:expires_at as timestamptz)
);

--:name refresh_token_rotate :one
--:doc Trade a refresh token for its successor; outcome is rotated, unknown, expired or reused (family revoked).
select rotation.outcome, rotation.user_id, rotation.organization_id
from app.refresh_token_rotate(
    cast(:token_hash as text), cast(:new_token_hash as text), cast(:expires_at as timestamptz)
) as rotation;

--:name refresh_token_revoke :scalar
--:doc Revoke the family of a refresh token; an unknown token changes nothing.
select app.refresh_token_revoke(cast(:token_hash as text));

--:name organization_branding :scalar
--:doc The current organization's branding, which fills what a template leaves open; primary key.
select organization.branding
from organizations as organization;
