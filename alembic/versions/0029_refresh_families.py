"""A rotated refresh token is kept as long as it may still be used, ten seconds, and not for thirty days.

That a later use is one of an old token is told by its family: a part that all tokens of a session share, of which the
session keeps the hash.
"""

from pipeline.migrations import lookups, owned

revision = "0029"
down_revision = "0028"

COLUMN = """
alter table app.sessions
    add column family_hash text constraint sessions_family_hash_check check (family_hash ~ '^[0-9a-f]{64}$'),
    add constraint sessions_family_hash_key unique (family_hash);
grant insert (family_hash) on app.sessions to pipeline_lookup;
"""

FUNCTIONS = """
drop function app.refresh_token_rotate(text, text, timestamptz, bigint, bigint);
drop function app.session_start(bigint, text, bigint, text, text, timestamptz, text, timestamptz);
drop function app.session_logout(text);

create function app.session_start(p_user_id bigint, p_password_hash text, p_organization_id bigint, p_client text,
    p_address text, p_expires_at timestamptz, p_token_hash text, p_token_expires_at timestamptz,
    p_family_hash text default null)
    returns table(session_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_organization bigint;
    v_session bigint;
begin
    -- The locks keep password and seat as they are: a reset or a deactivation at the same moment comes either before,
    -- and is seen here, or after, and finds this session.
    perform from app.users u where u.id = p_user_id and u.password_hash = p_password_hash for share;
    if not found then
        return;
    end if;
    select m.organization_id into v_organization from app.organization_users m
        where m.user_id = p_user_id and m.seat_active
          and (p_organization_id is null or m.organization_id = p_organization_id)
        order by m.chosen_at desc nulls last, m.organization_id limit 1 for share;
    if v_organization is null then
        return;
    end if;
    insert into app.sessions (organization_id, user_id, client, address, expires_at, family_hash)
        values (v_organization, p_user_id, left(p_client, 200), left(p_address, 100), p_expires_at, p_family_hash)
        returning id into v_session;
    if p_token_hash is not null then
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_organization, v_session, p_token_hash, least(p_token_expires_at, p_expires_at));
    end if;
    return query select v_session, v_organization;
end
$$;
comment on function app.session_start is
    'A new session, in the given organization, else where the person last chose to work; no row when the password has '
    'changed since it was checked, or without an active seat.';

create function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text, p_new_expires_at timestamptz,
    p_session_id bigint, p_organization_id bigint, p_family_hash text default null)
    returns table(outcome text, session_id bigint, user_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_token app.refresh_tokens;
    v_session app.sessions;
    v_seated boolean;
    v_outcome text := 'rotated';
begin
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    -- A token that is no longer kept still names its family.
    select * into v_session from app.sessions s
        where s.id = v_token.session_id or v_token.id is null and s.family_hash = p_family_hash;
    if v_session.id is null or v_session.id <> p_session_id then
        return query select 'unknown', null::bigint, null::bigint, null::bigint;
        return;
    end if;
    if p_organization_id is null then
        perform from app.organization_users m
            where m.organization_id = v_token.organization_id and m.user_id = v_session.user_id and m.seat_active
            for share;
    else
        perform from app.organization_users m
            where m.organization_id = p_organization_id and m.user_id = v_session.user_id and m.seat_active
            for no key update;
    end if;
    v_seated := found;
    -- From here on the second of two rotations sees what the first has done.
    select * into v_session from app.sessions s where s.id = v_session.id for update;
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    if v_session.ended_at is not null or v_session.expires_at <= now() then
        v_outcome := 'unknown';
    elsif v_token.id is null or v_token.rotated_at < now() - interval '10 seconds' then
        update app.sessions s set ended_at = now() where s.id = v_session.id;
        v_outcome := 'reused';
    elsif v_token.expires_at <= now() then
        v_outcome := 'expired';
    elsif not v_seated then
        v_outcome := 'no_seat';
    else
        if p_organization_id is not null then
            update app.organization_users m set chosen_at = now()
                where m.organization_id = p_organization_id and m.user_id = v_session.user_id;
            v_session.organization_id := p_organization_id;
        else
            v_session.organization_id := v_token.organization_id;
        end if;
        delete from app.refresh_tokens t
            where t.session_id = v_session.id and t.rotated_at < now() - interval '10 seconds';
        update app.refresh_tokens t set rotated_at = now()
            where t.organization_id = v_token.organization_id and t.id = v_token.id and t.rotated_at is null;
        update app.sessions s set last_used_at = now(), organization_id = v_session.organization_id
            where s.id = v_session.id;
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_session.organization_id, v_session.id, p_new_token_hash,
                    least(p_new_expires_at, v_session.expires_at));
    end if;
    return query select v_outcome, v_session.id, v_session.user_id, v_session.organization_id;
end
$$;
comment on function app.refresh_token_rotate is
    'Trade a refresh token for a successor, in another organization when one is given: rotated, unknown, expired, '
    'no_seat, or reused, which ends the session. Within 10 seconds of its rotation a token gets one more successor; '
    'then it is forgotten, and known by its family. p_session_id, when given, must be the token''s. The caller must '
    'commit after reused too, or the end is lost.';

create function app.session_logout(p_token_hash text, p_family_hash text default null) returns void
    language sql security definer
    set search_path = app, pg_temp
    as $$
    update app.sessions s set ended_at = now()
    where s.ended_at is null
      and (s.id = (select t.session_id from app.refresh_tokens t where t.token_hash = p_token_hash)
           or s.family_hash = p_family_hash)
$$;
comment on function app.session_logout is
    'End the session of a refresh token, which may be an old one; an unknown one changes nothing.';

revoke execute on function app.session_start, app.refresh_token_rotate, app.session_logout from public;
grant execute on function app.session_start, app.refresh_token_rotate, app.session_logout to pipeline_app;
"""


def upgrade():
    owned(COLUMN)
    lookups(FUNCTIONS)
    owned("delete from app.refresh_tokens where rotated_at is not null")
