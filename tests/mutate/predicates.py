"""What the functions decide by, and what each becomes without it: {function: [(text, instead, what is lost)]}.

The text is part of the function as PostgreSQL gives it; it is replaced wherever it stands. A text that is no longer
there is an error, so that the table follows the schema.
"""

_HERE = "nullif(current_setting('app.organization_id', true), '')::bigint"
_TOKEN = "nullif(current_setting('app.signing_token', true), '')"

PREDICATES = {
    "login_account": [
        ("u.email_key = app.email_key(p_email)", "u.email_key = p_email", "the address without regard to case")
    ],
    "account": [("u.id = p_user_id", "true", "the person asked for")],
    "account_rename": [("u.id = p_user_id", "true", "the person alone")],
    "memberships": [
        ("m.user_id = p_user_id and", "", "the person's own seats"),
        ("and m.seat_active", "", "active seats alone"),
    ],
    "is_active_seat": [
        (f"s.organization_id = {_HERE}\n          and", "", "a seat of this organization"),
        (" and s.seat_active", "", "an active seat"),
    ],
    "form_logo": [
        (f"o.id = {_HERE}", "true", "this organization's logo"),
        ("f.content_type in ('image/png', 'image/jpeg')", "true", "pictures alone"),
    ],
    "logo_by_sha256": [
        (" and o.logo_file_id = f.id", "", "logos alone"),
        ("f.sha256 = p_sha256", "true", "the file asked for"),
        (" and f.content_type in ('image/png', 'image/jpeg')", "", "pictures alone"),
    ],
    "storage_counted": [
        ("storage_use.bytes + excluded.bytes", "excluded.bytes", "the sum"),
        (" where organization_id = old.organization_id", "", "the file's organization"),
    ],
    "search_ids": [("r.organization_id = %L", "(true or %L is null)", "this organization's records")],
    "company_similar": [(f"c.organization_id = {_HERE}\n      and", "", "this organization's companies")],
    "account_link": [
        ("l.token_hash = p_token_hash", "true", "the link asked for"),
        ("when l.used_at is not null then 'used'", "", "used links"),
        ("when l.expires_at <= now() then 'expired'", "", "expired links"),
        ("when i.outcome is not null then i.outcome", "", "answered invitations"),
    ],
    "account_link_issue": [
        (f"l.organization_id = {_HERE}\n          and ", "", "this organization's link"),
        (" and l.used_at is null", "", "a used link gets no token"),
        (" and l.mailed_at is null", "", "a link whose email was sent gets no token"),
        (" and l.expires_at > now()", "", "a link that has expired gets no token"),
    ],
    "invitation_send": [
        (f"i.organization_id = {_HERE}\n          and", "", "this organization's invitation"),
        (" and i.ended_at is null", "", "an open invitation"),
        (f"l.organization_id = {_HERE}\n          and", "", "this organization's links"),
        ("set used_at = now()", "set used_at = used_at", "earlier links end"),
    ],
    "invitation_settle": [
        ("i.organization_id = p_organization_id and", "", "the organization's invitation"),
        (" and i.ended_at is null", "", "an open invitation"),
        (" and p_outcome = 'accepted'", "", "a seat by acceptance alone"),
        ("set used_at = now()", "set used_at = used_at", "links end with it"),
        ("return v_invitation.user_id is not null", "return true", "whether it was open"),
    ],
    "invitation_by_link": [
        (" and i.ended_at is null", "", "an open invitation"),
        (" and l.used_at is null", "", "an unused link"),
        (" and l.expires_at > now()", "", "a link in time"),
    ],
    "invitation_activate": [(" where users.password_hash is null", "", "an account with a password is not taken over")],
    "invitation_join": [
        (" and u.email_key = v_invitation.email_key", "", "the invited address"),
        ("\n        and u.password_hash = p_password_hash", "", "the password that was checked"),
    ],
    "invitations_of": [
        ("i.email_key = u.email_key and", "", "invitations to the person's address"),
        (" and i.ended_at is null", "", "open invitations"),
        (" and i.expires_at > now()", "", "invitations in time"),
        (" and u.confirmed_at is not null", "", "a confirmed address"),
    ],
    "authenticate_key": [
        ("k.revoked_at is null and", "", "a key that is not revoked"),
        ("k.expires_at > now()", "true", "a key in time"),
    ],
    "authenticate": [
        (" and s.user_id = m.user_id", "", "the person's own session"),
        ("m.organization_id = p_organization_id and", "", "a seat in the token's organization"),
        (" and m.seat_active", "", "an active seat"),
        ("s.ended_at is null and", "", "a session that has not ended"),
        (" and s.expires_at > now()", "", "a session in time"),
    ],
    "session_start": [
        (" and u.password_hash = p_password_hash", "", "the password that was checked"),
        (" and m.seat_active", "", "an active seat"),
        ("(p_organization_id is null or m.organization_id = p_organization_id)", "true", "the organization asked for"),
        ("least(p_token_expires_at, p_expires_at)", "p_token_expires_at", "no token outlives its session"),
    ],
    "refresh_token_rotate": [
        (" or v_session.id <> p_session_id", "", "the token's own session"),
        ("v_session.ended_at is not null or", "", "a session that has not ended"),
        (" or v_session.expires_at <= now()", "", "a session in time"),
        ("v_token.rotated_at < now() - interval '10 seconds' then", "false then", "a token used twice"),
        ("update app.sessions s set ended_at = now()", "update app.sessions s set ended_at = null", "its end"),
        ("elsif v_token.expires_at <= now()", "elsif false", "a token in time"),
        ("elsif not v_seated", "elsif false", "a seat"),
        ("least(p_new_expires_at, v_session.expires_at)", "p_new_expires_at", "no token outlives its session"),
    ],
    "session_logout": [("s.family_hash = p_family_hash", "true", "the token's own session")],
    "session_list": [
        ("s.user_id = p_user_id and", "", "the person's own sessions"),
        (" and s.ended_at is null", "", "sessions that have not ended"),
        (" and s.expires_at > now()", "", "sessions in time"),
    ],
    "session_end": [
        (" and s.user_id = p_user_id", "", "the person's own session"),
        (" and s.ended_at is null", "", "a session that has not ended"),
        (" and s.expires_at > now()", "", "a session in time"),
    ],
    "sessions_end": [
        ("s.user_id = p_user_id and", "", "the person's own sessions"),
        (" and s.id is distinct from p_except", "", "all but one"),
    ],
    "session_purge": [
        ("where expires_at < p_before or ended_at < p_before", "", "sessions that are over"),
        ("refresh_tokens where expires_at < p_before", "refresh_tokens", "tokens that are over"),
        ("account_links where expires_at < p_before", "account_links", "links that are over"),
    ],
    "seat_gone": [
        (" and m.seat_active and m.organization_id", " and m.organization_id", "an active seat elsewhere"),
        ("perform app.sessions_end(old.user_id, null);", "null;", "sessions end with the last seat"),
    ],
    "password_set": [
        ("where u.id = p_user_id", "", "the person's own password"),
        ("select app.sessions_end(p_user_id, p_except)", "", "sessions end"),
    ],
    "password_hash": [("u.id = p_user_id", "true", "the person asked for")],
    "password_change": [(" and u.password_hash = p_known_hash", "", "the password that was checked")],
    "password_forgot": [
        (" and m.seat_active", "", "an active seat"),
        (") < 3", ") >= 0", "three an hour"),
        ("if not v_known then\n            raise", "if false then\n            raise", "nothing stays for a stranger"),
    ],
    "password_reset": [
        (
            " and l.kind = 'reset' and l.used_at is null and l.expires_at",
            " and l.used_at is null and l.expires_at",
            "a link for a password",
        ),
        (" and l.used_at is null and l.expires_at", " and l.expires_at", "an unused link"),
        (" and l.expires_at > now()", "", "a link in time"),
        ("set used_at = now()", "set used_at = used_at", "links end with it"),
    ],
    "invite_by_token": [("i.token = p_token", "true", "the invite asked for")],
    "capture_by_slug": [
        ("t.public_slug = p_public_slug and", "", "the form asked for"),
        (" and t.lead_capture_enabled", "", "an open form"),
        (" and t.deleted_at is null", "", "a form that was not deleted"),
    ],
    "invite_guarded": [
        ("old.status = 'submitted'", "false", "a submitted invite"),
        ("old.status = 'expired' or", "", "an expired invite"),
        (" and old.expires_at <= now()", " and false", "an invite past its end"),
    ],
    "contract_guarded": [("not pg_has_role(current_user, 'pipeline_admin', 'usage')", "false", "an administrator")],
    "changes_recorded": [(" or c.row ->> v_ended is null", " or true", "records that have not ended before")],
    "outbox_lease": [
        ("and o.done_at is null and o.due_at <= now()", "and o.done_at is null", "events that are due"),
        (" and (o.leased_until is null or o.leased_until <= now())", "", "events that nobody has"),
    ],
    "outbox_backlog": [
        (" and o.done_at is null", "", "events that are not delivered"),
        (" and o.due_at <= now()", "", "events that are due"),
    ],
    "login_failed": [
        (" and s.seat_active", "", "active seats alone"),
        ("if v_known is null then\n            raise", "if false then\n            raise", "nothing for a stranger"),
    ],
    "changes_erase": [
        (f"c.organization_id = {_HERE}\n          and", "", "this organization's changes"),
        ("c.type = p_type and", "", "the type asked for"),
        (f"d.organization_id = {_HERE}\n          and", "", "messages about this organization's records"),
        ("d.record_type = p_type and", "", "messages about the type asked for"),
    ],
    "traces_erase": [
        ("d.organization_id = v_organization and", "", "this organization's messages"),
        ("c.organization_id = v_organization and c.action", "c.action", "this organization's exports"),
    ],
    "changes_purge": [(f"where c.organization_id = {_HERE}\n        order", "order", "this organization's changes")],
    "lead_is_new": [
        ("and c.transaction_id = v_transaction", "", "a lead of this transaction"),
        (" and c.record_id = p_id", "", "the lead itself"),
    ],
    "person_notifications": [(f"n.organization_id = {_HERE}\n      and", "", "this organization's notifications")],
    "is_signing": [
        ("\n          and (p_signer_id is null or link.signer_id = p_signer_id)", "", "the signer of the link")
    ],
    "is_signing_opened": [
        (" and not request.verify_email", "", "a code where the request asks for one"),
        (" and code.verified_at > now() - interval '2 hours'", " and code.verified_at is not null", "two hours"),
    ],
    "is_signed_contract": [(" and request.contract_id = p_contract_id", "", "the contract of the request")],
    "is_signed_file": [
        (
            "\n          and p_file_id in (request.document_file_id, request.sealed_file_id)",
            "",
            "the files of the request",
        )
    ],
    "contract_out_for_signature": [
        (
            "app.signature_status(request.status, request.expires_at, request.signed_at) = 'sent'",
            "request.status = 'sent'",
            "an expired request lets go",
        ),
        ("request.status = 'completed'", "false", "a signed contract"),
    ],
    "signers_recorded": [("f.status <> s.status", "false", "changed statuses")],
    "signature_by_token": [("l.token_hash = p_token_hash", "true", "the link asked for")],
    "signature_link_issue": [
        ("s.organization_id = v_organization and s.id", "s.id", "this organization's signer"),
        (" and s.status <> 'waiting'", "", "a signer whose turn it is"),
        (
            "\n      and app.signature_status(r.status, r.expires_at, r.signed_at) in ('sent', 'completed')",
            "",
            "an open or completed request",
        ),
    ],
    "signature_code_ask": [
        (f" and l.token_hash = {_TOKEN}", "", "the open link"),
        (" and c.browser_hash = p_browser_hash", "", "the browser's codes"),
        (" and c.created_at > now() - interval '1 minute'", "", "the last minute"),
        (") >= 20 then", ") >= 2000 then", "twenty codes"),
    ],
    "signature_code_issue": [
        (f"c.organization_id = {_HERE}\n      and", "", "this organization's code"),
        (" and c.verified_at is null", "", "a used code is not renewed"),
    ],
    "signature_code_try": [
        (f"\n      and l.token_hash = {_TOKEN}", "", "the open link"),
        (
            "\n      and c.browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), "
            "'UTF8')), 'hex')",
            "",
            "the browser that asked",
        ),
        ("v.expires_at <= now() or ", "", "ten minutes"),
        (" or v.tries >= 5", "", "five tries"),
    ],
    "records_counted": [("else -count(*)", "else count(*)", "what went is taken off")],
}
