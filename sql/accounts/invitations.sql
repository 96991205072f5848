--:name invitation_by_token :one
--:doc What the holder of an invitation's link may see; unique key on invitations.token_hash.
select
    invitation.state,
    invitation.email,
    invitation.name,
    invitation.invited_by,
    invitation.known,
    invitation.organization,
    invitation.branding,
    invitation.logo,
    invitation.locale
from app.invitation_by_token(cast(:token_hash as text)) as invitation;

--:name invitation_activate :one
--:doc The new account of an open invitation's person with its seat; no row when the link is used, expired, or theirs.
select account.user_id, account.organization_id
from app.invitation_activate(cast(:token_hash as text), cast(:name as text), cast(:password_hash as text)) as account;

--:name invitation_join :scalar
--:doc A seat for the account that an open invitation's link is meant for; answers its organization, or null.
select app.invitation_join(cast(:token_hash as text), cast(:user_id as bigint));

--:name invitation_decline :scalar
--:doc Decline an open invitation by its link; answers whether there was one.
select app.invitation_decline(cast(:token_hash as text));

--:name invitations_of :many
--:doc The open invitations to a user's confirmed address, the oldest first; index invitations_person.
select
    invitation.id,
    json_build_object('id', invitation.organization_id, 'name', invitation.organization) as organization,
    invitation.role,
    invitation.invited_by,
    iso(invitation.invited_at) as invited_at,
    iso(invitation.expires_at) as expires_at
from app.invitations_of(cast(:user_id as bigint)) as invitation;

--:name invitation_answer :scalar
--:doc End an open invitation to a user as accepted or declined; answers its organization, or null.
select app.invitation_answer(cast(:user_id as bigint), cast(:id as bigint), cast(:outcome as text));
