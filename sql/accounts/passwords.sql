--:name password_hash :scalar
--:doc A person's password hash, before the transaction takes a role; primary key of users.
select app.password_hash(cast(:user_id as bigint));

--:name password_change :scalar
--:doc Replace the checked password and end other sessions; false after another change.
select app.password_change(
    cast(:user_id as bigint), cast(:known_hash as text), cast(:new_hash as text), cast(:session_id as bigint)
);

--:name password_forgot :scalar
--:doc Insert a password link for an account; takes equally long without one.
select app.password_forgot(cast(:email as text), cast(:expires_at as timestamptz));

--:name account_link :one
--:doc The visible data of a link and its account; unique key on account_links.token_hash.
select link.*
from app.account_link(cast(:token_hash as text)) as link;

--:name password_reset :scalar
--:doc Set a password by a valid link and end all sessions.
select app.password_reset(cast(:token_hash as text), cast(:password_hash as text));

--:name account_link_mail :one
--:doc The data for the email of a link; primary keys.
select
    link.id,
    link.kind,
    link.used_at is null and link.expires_at > now() as good,
    coalesce(invitation.email, account.email) as email,
    coalesce(invitation.name, account.name) as name,
    inviter.name as inviter_name,
    domain_shown(inviter.email) as inviter_email
from account_links as link
left join invitations as invitation
    on invitation.organization_id = link.organization_id and invitation.user_id = link.invitation_id
left join organization_users as seat
    on seat.organization_id = invitation.organization_id and seat.user_id = invitation.invited_by and seat.seat_active
left join users as inviter on inviter.id = seat.user_id
left join users as account on account.id = link.user_id
where link.id = cast(:id as bigint);

--:name reset_links_end :scalar
--:doc End a person's links for a new password; account_links_user.
select app.reset_links_end(cast(:user_id as bigint));
