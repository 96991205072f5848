--:name invitation_activate :one
--:doc Create an open invitation's account and seat; no row for an invalid link or a known person.
select account.user_id, account.organization_id
from app.invitation_activate(cast(:token_hash as text), cast(:name as text), cast(:password_hash as text)) as account;

--:name invitation_join :one
--:doc Create a known person's seat; no row for an invalid link or password.
select account.user_id, account.organization_id
from app.invitation_join(
    cast(:token_hash as text), cast(:user_id as bigint), cast(:password_hash as text)
) as account;

--:name invitation_decline :scalar
--:doc Decline an open invitation by its link; false without one.
select app.invitation_decline(cast(:token_hash as text));

--:name invitations_of :many
--:doc A user's open invitations at the confirmed address, oldest first; invitations_person.
select
    invitation.id,
    json_build_object('id', invitation.organization_id, 'name', invitation.organization_name) as organization,
    invitation.role,
    invitation.invited_by,
    iso(invitation.invited_at) as invited_at,
    iso(invitation.expires_at) as expires_at
from app.invitations_of(cast(:user_id as bigint)) as invitation;

--:name invitation_answer :scalar
--:doc End an open invitation as accepted or declined; returns its organization.
select app.invitation_answer(cast(:user_id as bigint), cast(:id as bigint), cast(:outcome as text));

--:name account_rename :scalar
--:doc Rename a person in every organization; primary key of users.
select app.account_rename(cast(:user_id as bigint), cast(:name as text));

--:name account_make :scalar
--:doc Create the account of a confirmed address; null if it has a password; unique key on users.email_key.
select app.account_make(
    cast(:id as bigint), cast(:email as text), cast(:name as text), cast(:password_hash as text)
);
