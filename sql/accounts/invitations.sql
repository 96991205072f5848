--:name invitation_activate :one
--:doc The new account of an open invitation's person with its seat; no row when the link is not good, or they are known.
select account.user_id, account.organization_id
from app.invitation_activate(cast(:token_hash as text), cast(:name as text), cast(:password_hash as text)) as account;

--:name invitation_join :one
--:doc A seat for the known person of an open invitation; no row when the link is not good, or the password another.
select account.user_id, account.organization_id
from app.invitation_join(
    cast(:token_hash as text), cast(:user_id as bigint), cast(:password_hash as text)
) as account;

--:name invitation_decline :scalar
--:doc Decline an open invitation by its link; answers whether there was one.
select app.invitation_decline(cast(:token_hash as text));

--:name invitations_of :many
--:doc The open invitations to a user's confirmed address, the oldest first; index invitations_person.
select
    invitation.id,
    json_build_object('id', invitation.organization_id, 'name', invitation.organization_name) as organization,
    invitation.role,
    invitation.invited_by,
    iso(invitation.invited_at) as invited_at,
    iso(invitation.expires_at) as expires_at
from app.invitations_of(cast(:user_id as bigint)) as invitation;

--:name invitation_answer :scalar
--:doc End an open invitation to a user as accepted or declined; answers its organization, or null.
select app.invitation_answer(cast(:user_id as bigint), cast(:id as bigint), cast(:outcome as text));

--:name account_rename :scalar
--:doc Give a person another name in every organization; primary key of users.
select app.account_rename(cast(:user_id as bigint), cast(:name as text));
