-- Signature requests. A request freezes a revision: while it is open, app.contract_out_for_signature refuses changes of
-- the contract (SQLSTATE PI004). A signer's page sees only the request of its token (app.signature_by_token).

set local role pipeline_owner;

create function app.signature_status(status text, expires_at timestamptz, signed_at timestamptz) returns text
    language sql stable parallel safe
    return case when status = 'sent' and signed_at is null and expires_at <= now() then 'expired' else status end;
comment on function app.signature_status is
    'The status to show: an open request after its expiry is expired, unless all have signed.';
grant execute on function app.signature_status
    to pipeline_member, pipeline_jobs, pipeline_public, pipeline_lookup;

create function app.content_digest(content text, layout jsonb) returns text
    language sql stable parallel safe
    return encode(sha256(convert_to(content || E'\n' || cast(layout as text), 'UTF8')), 'hex');
comment on function app.content_digest is 'SHA-256 of a contract''s content and layout, 64 hexadecimal digits.';
grant execute on function app.content_digest to pipeline_member, pipeline_jobs, pipeline_public;

create function app.unlike_words(words text[], other text[]) returns text[]
    language sql immutable strict parallel safe as $$
    select array(
        select word from unnest(words) as word
        where word <> all(other)
          and (length(word) > 1 or word ~ '[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]')
          and not exists (
              select from unnest(other) as initial where length(initial) = 1 and starts_with(word, initial)))
$$;
comment on function app.unlike_words is
    'The words of a name that another name has neither in full nor as an initial. An initial is like any name.';

create function app.names_same(one text, other text) returns boolean
    language sql immutable strict parallel safe as $$
    select replace(app.shortened(app.folded(one, ' ')), ' ', '')
            = replace(app.shortened(app.folded(other, ' ')), ' ', '')
        or app.unlike_words(app.name_words(one), app.name_words(other)) = '{}'
        and app.unlike_words(app.name_words(other), app.name_words(one)) = '{}'
        and exists (select from unnest(app.name_words(one)) as word
                    where octet_length(word) > 1 and word = any(app.name_words(other)))
$$;
comment on function app.names_same is
    'Whether a typed name is a person''s, apart from case, accents, punctuation, order and initials.';
grant execute on function app.unlike_words, app.names_same to pipeline_public, pipeline_member, pipeline_jobs;

create table app.signature_requests (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_id bigint not null,
    revision integer not null check (revision >= 1),
    document_file_id bigint,
    document_sha256 text not null check (document_sha256 ~ '^[0-9a-f]{64}$'),
    content_sha256 text not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
    reading_copy text,
    status text not null default 'sent' check (status in ('sent', 'completed', 'declined', 'cancelled', 'expired')),
    message text check (length(message) <= 5000),
    language text not null,
    verify_email boolean not null default false,
    expires_at timestamptz not null,
    signed_at timestamptz,
    ended_at timestamptz,
    sealed_file_id bigint,
    seal jsonb check (jsonb_typeof(seal) = 'object'),
    error text,
    complete_without text[] not null default '{}' check (complete_without <@ array['licensee', 'licensor']),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    cc text[] not null default '{}' check (cardinality(cc) <= 10),
    reminders integer[] not null default '{}' check (cardinality(reminders) <= 3),
    organization_name text,
    organization_slug text,
    legal_name text,
    time_zone text,
    region text,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check ((status = 'sent') = (ended_at is null)),
    check ((status = 'completed') = (sealed_file_id is not null)),
    check (document_file_id is not null or status not in ('sent', 'completed')),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, document_file_id) references app.files,
    foreign key (organization_id, sealed_file_id) references app.files,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.signature_requests is 'Requests to sign a revision of a contract.';
comment on column app.signature_requests.revision is 'The revision of the contract to sign.';
comment on column app.signature_requests.document_file_id is
    'The PDF that signers see; null after an erasure of its words.';
comment on column app.signature_requests.document_sha256 is 'SHA-256 of the PDF that signers see.';
comment on column app.signature_requests.content_sha256 is 'SHA-256 of the content and layout that signers see.';
comment on column app.signature_requests.reading_copy is
    'What signers read of an author''s Word file, as HTML; null after an erasure, and for contracts of HTML.';
comment on column app.signature_requests.status is 'sent, completed, declined, cancelled or expired.';
comment on column app.signature_requests.message is 'Text in the emails to the signers.';
comment on column app.signature_requests.language is 'Language of emails and pages.';
comment on column app.signature_requests.verify_email is 'Whether signers must enter a code from an email first.';
comment on column app.signature_requests.expires_at is 'When the request expires, unless all have signed.';
comment on column app.signature_requests.signed_at is 'When the last signer signed.';
comment on column app.signature_requests.ended_at is
    'When the request was completed, declined, cancelled or expired.';
comment on column app.signature_requests.sealed_file_id is 'The sealed PDF with all signatures.';
comment on column app.signature_requests.seal is 'Facts about the seal and its certificate.';
comment on column app.signature_requests.error is 'Why the signed contract could not be sealed.';
comment on column app.signature_requests.complete_without is
    'Parties whose line may stay empty: licensee, licensor.';
comment on column app.signature_requests.warnings is 'What the request leaves open: code and message.';
comment on column app.signature_requests.cc is 'Addresses that get the signed copy by email.';
comment on column app.signature_requests.reminders is
    'Days after the email to a signer on which reminders are sent until the signature.';
comment on column app.signature_requests.organization_name is
    'The organization''s name when the request was created, for its seal; null, as the next four, if an earlier '
    'release created it during an upgrade: then the present values count.';
comment on column app.signature_requests.organization_slug is 'The organization''s slug when the request was created.';
comment on column app.signature_requests.legal_name is
    'The organization''s legal name when the request was created, if it had one.';
comment on column app.signature_requests.time_zone is
    'The organization''s time zone when the request was created, for its times.';
comment on column app.signature_requests.region is
    'The country of the organization, else of its locale, when the request was created, for its dates; empty without.';

call app.isolate('app.signature_requests', 'pipeline_member', 'pipeline_jobs');
call app.record_changes('app.signature_requests', 'signature-requests',
    '{contract_id, revision, document_file_id, document_sha256, content_sha256, status, message, language,
    verify_email, expires_at, signed_at, ended_at, sealed_file_id, seal, error}',
    p_parents => '{"contract_id": "contracts"}');

-- One open request for each contract.
create unique index signature_requests_open on app.signature_requests (organization_id, contract_id)
    where status = 'sent';
-- For the erasure of a person.
create index signature_requests_cc on app.signature_requests (organization_id, id) where cc <> '{}';
create index signature_requests_contract on app.signature_requests (organization_id, contract_id, id);
-- For the foreign keys.
create index signature_requests_document on app.signature_requests (organization_id, document_file_id);
create index signature_requests_sealed on app.signature_requests (organization_id, sealed_file_id)
    where sealed_file_id is not null;

grant select,
    insert (organization_id, contract_id, revision, document_file_id, document_sha256, content_sha256,
        reading_copy, message, language, verify_email, complete_without, warnings, cc, reminders, organization_name,
        organization_slug, legal_name, time_zone, region, expires_at, created_by),
    update (status, ended_at, error)
    on app.signature_requests to pipeline_member;
-- Only the erasure of a person.
grant update (message, document_file_id, reading_copy, cc) on app.signature_requests to pipeline_admin;
grant select, update (status, ended_at, sealed_file_id, seal, error) on app.signature_requests to pipeline_jobs;
grant select (organization_id, id, contract_id, status, expires_at, signed_at, ended_at, verify_email, reading_copy)
    on app.signature_requests to pipeline_lookup;

create table app.signature_signers (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    name text not null check (length(name) between 1 and 255),
    email text not null check (length(email) <= 254 and app.has_ascii_domain(email)),
    email_key text collate "C" not null generated always as (app.email_key(email)) stored,
    party text not null check (party in ('licensee', 'licensor')),
    "order" integer not null default 1 check ("order" between 1 and 10),
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'viewed', 'signed', 'declined')),
    viewed_at timestamptz,
    signed_at timestamptz,
    decline_reason text check (length(decline_reason) between 1 and 1000),
    signature_kind text check (signature_kind in ('typed', 'drawn')),
    signature_text text check (length(signature_text) between 1 and 255),
    drawing bytea check (octet_length(drawing) between 1 and 204800),
    consent text,
    consent_language text,
    address text check (length(address) <= 64),
    user_agent text check (length(user_agent) <= 500),
    verified_at timestamptz,
    reminded_at timestamptz,
    title text check (length(title) between 1 and 255),
    email_status text check (email_status in ('queued', 'sent', 'skipped', 'failed')),
    email_error text,
    corrected_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, request_id, id),
    check ((status = 'signed') = (signed_at is not null)),
    check ((status = 'signed') = (consent is not null and consent_language is not null and signature_kind is not null)),
    check ((signature_kind = 'drawn') = (drawing is not null)),
    check ((signature_kind is null) = (signature_text is null)),
    check ((status = 'declined') = (decline_reason is not null)),
    foreign key (organization_id, request_id) references app.signature_requests on delete cascade
);
comment on table app.signature_signers is 'The signers of requests, with their signatures.';
comment on column app.signature_signers.name is 'Name of the signer.';
comment on column app.signature_signers.party is 'The party that the signer signs for: licensee or licensor.';
comment on column app.signature_signers."order" is
    'Signers with a smaller number sign first; those with the same number sign in any order.';
comment on column app.signature_signers.status is 'waiting, sent, viewed, signed or declined.';
comment on column app.signature_signers.viewed_at is
    'When the page''s script reported the first view, or the signer opened the page by a code.';
comment on column app.signature_signers.signed_at is 'When the signer signed.';
comment on column app.signature_signers.decline_reason is 'Why the signer declined.';
comment on column app.signature_signers.signature_kind is 'typed or drawn.';
comment on column app.signature_signers.signature_text is 'The name as the signer typed it.';
comment on column app.signature_signers.drawing is 'The drawn signature, a PNG.';
comment on column app.signature_signers.consent is 'The consent text that the signer agreed to.';
comment on column app.signature_signers.consent_language is 'Language of the consent text.';
comment on column app.signature_signers.address is 'Network address of the signature.';
comment on column app.signature_signers.user_agent is 'User agent of the signature.';
comment on column app.signature_signers.verified_at is 'When the right code was last entered.';
comment on column app.signature_signers.reminded_at is 'When the signer was last reminded.';
comment on column app.signature_signers.title is 'Title of the signer.';
comment on column app.signature_signers.email_status is
    'The newest email with the signer''s link: queued, sent (the mail server has taken it), skipped or failed; null '
    'before the signer''s turn.';
comment on column app.signature_signers.email_error is 'Why the email was skipped or failed.';
comment on column app.signature_signers.corrected_at is
    'When the name, title or address was last corrected. Emails from before are not sent.';

call app.isolate('app.signature_signers', 'pipeline_member', 'pipeline_jobs');
call app.touch_changed('app.signature_signers');

-- A person's signatures.
create index signature_signers_email on app.signature_signers (organization_id, email_key);

grant select (organization_id, id, request_id, name, email, email_key, party, "order", status, viewed_at, signed_at,
        decline_reason, signature_kind, signature_text, drawing, consent, consent_language, address, user_agent,
        verified_at, reminded_at, title, email_status, email_error, corrected_at, created_at, updated_at)
    on app.signature_signers to pipeline_member, pipeline_jobs;
grant insert (organization_id, request_id, name, email, party, "order", title),
    update (name, title, email, status, viewed_at, verified_at, reminded_at, email_status, email_error, corrected_at)
    on app.signature_signers to pipeline_member;
grant delete on app.signature_signers to pipeline_admin;
grant update (status, reminded_at, email_status, email_error) on app.signature_signers to pipeline_jobs;
grant select (organization_id, id, request_id, name, title, email, status, email_status), update (verified_at)
    on app.signature_signers to pipeline_lookup;

create table app.signature_links (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    signer_id bigint not null,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, request_id, signer_id)
        references app.signature_signers (organization_id, request_id, id) on delete cascade
);
comment on table app.signature_links is
    'The links in emails to signers. The worker creates the token when it sends the email; only its SHA-256 is stored.';
comment on column app.signature_links.signer_id is 'The signer.';
comment on column app.signature_links.token_hash is 'SHA-256 of the token.';

call app.isolate('app.signature_links');

create index signature_links_signer on app.signature_links (organization_id, request_id, signer_id);

grant select, insert (organization_id, request_id, signer_id, token_hash), delete
    on app.signature_links to pipeline_lookup;

create table app.signature_codes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    link_id bigint not null,
    browser_hash text not null check (browser_hash ~ '^[0-9a-f]{64}$'),
    code_hash text check (code_hash ~ '^[0-9a-f]{64}$'),
    expires_at timestamptz,
    tries integer not null default 0 check (tries between 0 and 5),
    verified_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, link_id) references app.signature_links on delete cascade
);
comment on table app.signature_codes is
    'The codes that browsers asked for. The right code opens the link in the browser that asked for it, for two hours.';
comment on column app.signature_codes.link_id is 'The link.';
comment on column app.signature_codes.browser_hash is 'SHA-256 of the secret in the browser''s cookie.';
comment on column app.signature_codes.code_hash is 'SHA-256 of the emailed code.';
comment on column app.signature_codes.tries is 'The number of wrong codes.';
comment on column app.signature_codes.verified_at is 'When the right code was entered.';

call app.isolate('app.signature_codes');

create index signature_codes_link on app.signature_codes (organization_id, link_id);

grant select, insert (organization_id, link_id, browser_hash),
    update (browser_hash, code_hash, expires_at, tries, verified_at)
    on app.signature_codes to pipeline_lookup;

create table app.signature_events (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    signer_id bigint,
    event text not null check (event in ('sent', 'reminded', 'viewed', 'code_sent', 'verified', 'corrected',
        'name_confirmed', 'signed', 'declined', 'cancelled', 'expired', 'completed', 'copy_replaced', 'copy_deleted')),
    at timestamptz not null default now(),
    address text check (length(address) <= 64),
    user_agent text check (length(user_agent) <= 500),
    actor_name text,
    corrections jsonb check (jsonb_typeof(corrections) = 'object'),
    former_email_key text collate "C",
    primary key (organization_id, id),
    foreign key (organization_id, request_id) references app.signature_requests on delete cascade,
    foreign key (organization_id, request_id, signer_id)
        references app.signature_signers (organization_id, request_id, id) on delete cascade
);
comment on table app.signature_events is 'The events of requests, for the certificate. Rows are only inserted.';
comment on column app.signature_events.signer_id is 'The signer; null for an event of the whole request.';
comment on column app.signature_events.event is
    'sent, reminded, viewed, code_sent, verified, corrected, name_confirmed (the signer signed by another name), '
    'signed, declined, cancelled, expired, completed, copy_replaced or copy_deleted.';
comment on column app.signature_events.at is 'When it happened.';
comment on column app.signature_events.address is 'Network address of the signer.';
comment on column app.signature_events.user_agent is 'User agent of the signer.';
comment on column app.signature_events.actor_name is
    'The name, at that time, of the user or key that cancelled the request or gave up its sealed copy.';
comment on column app.signature_events.corrections is
    'The corrected fields of the signer with their old and new values; null after an erasure of the former person.';
comment on column app.signature_events.former_email_key is 'The key of the address before a correction.';

call app.isolate('app.signature_events', 'pipeline_member', 'pipeline_jobs');

create index signature_events_request on app.signature_events (organization_id, request_id, id);
create index signature_events_signer on app.signature_events (organization_id, request_id, signer_id);
-- A person's former requests.
create index signature_events_former on app.signature_events (organization_id, former_email_key)
    where former_email_key is not null;

grant select, insert (organization_id, request_id, signer_id, event)
    on app.signature_events to pipeline_member, pipeline_jobs;
grant insert (actor_name, corrections, former_email_key) on app.signature_events to pipeline_member;
-- Only the erasure of a person.
grant update (corrections, former_email_key) on app.signature_events to pipeline_admin;

create view app.signature_request_records with (security_invoker = true) as
select
    request.id, request.organization_id, request.contract_id, request.revision, request.document_sha256,
    app.signature_status(request.status, request.expires_at, request.signed_at) as status, request.message,
    request.language, request.verify_email, app.iso(request.expires_at) as expires_at,
    app.iso(request.signed_at) as signed_at, app.iso(request.ended_at) as ended_at, request.error,
    coalesce(signed.signers, '[]') as signers,
    request.created_by, app.created_by_kind(request.created_by, request.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = request.created_by),
        (select key.name from app.api_keys as key where key.id = request.created_by_key)
    ) as created_by_name,
    app.iso(request.created_at) as created_at,
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at, request.complete_without, request.warnings,
    array(select app.domain_shown(address) from unnest(request.cc) as address) as cc, request.reminders
from app.signature_requests as request
cross join lateral (
    select
        json_agg(
            json_build_object(
                'id', signer.id, 'name', signer.name, 'title', signer.title,
                'email', app.domain_shown(signer.email), 'party', signer.party, 'order', signer."order",
                'status', signer.status,
                'email_status', signer.email_status, 'email_error', signer.email_error,
                'viewed_at', app.iso(signer.viewed_at), 'signed_at', app.iso(signer.signed_at),
                'decline_reason', signer.decline_reason, 'reminded_at', app.iso(signer.reminded_at))
            order by signer."order", signer.id
        ) as signers,
        max(signer.updated_at) as updated_at
    from app.signature_signers as signer
    where signer.organization_id = request.organization_id and signer.request_id = request.id
) as signed;
comment on view app.signature_request_records is 'Signature requests with their signers, as the API returns them.';
call app.present('app.signature_request_records', 'pipeline_member', 'app.signature_requests');
comment on column app.signature_request_records.signers is 'The signers, in their order.';
comment on column app.signature_request_records.updated_at is
    'When the request or one of its signers was last changed.';
comment on column app.signature_request_records.cc is 'Addresses that get the signed copy by email.';

create function app.signatures_together(p_request_id bigint) returns setof bigint
    language sql stable set search_path = app, pg_temp as $$
    select given.id
    from (
        select signer.id, rank() over (partition by signer.party order by signed.id desc) as place
        from signature_requests this
        join signature_requests signed
            on signed.organization_id = this.organization_id and signed.contract_id = this.contract_id
            and signed.revision = this.revision and signed.content_sha256 = this.content_sha256
            and (signed.id = this.id or (signed.status = 'completed' and signed.id < this.id))
        join signature_signers signer
            on signer.organization_id = signed.organization_id and signer.request_id = signed.id
        where this.id = p_request_id
    ) given
    where given.place = 1
$$;
comment on function app.signatures_together is
    'The signers of a request, and of completed earlier ones of the same text for the parties that it does not ask.';
grant execute on function app.signatures_together to pipeline_member, pipeline_jobs;

create function app.contract_out_for_signature() returns trigger language plpgsql as $$
begin
    -- A signature under way may prevent the expiry: the next statement sees its result.
    perform 1 from app.signature_requests as request
        where request.organization_id = old.organization_id and request.contract_id = old.id and request.status = 'sent'
        for share;
    perform 1 from app.signature_requests as request
        where request.organization_id = old.organization_id and request.contract_id = old.id
          and app.signature_status(request.status, request.expires_at, request.signed_at) = 'sent';
    if found then
        raise exception 'the contract is out for signature' using errcode = 'PI004';
    end if;
    if tg_op = 'DELETE' then
        perform 1 from app.signature_requests as request
            where request.organization_id = old.organization_id and request.contract_id = old.id
              and request.status = 'completed';
        if found then
            raise exception 'the contract is signed' using errcode = 'PI005';
        end if;
        return old;
    end if;
    return new;
end
$$;
comment on function app.contract_out_for_signature is
    'Trigger: refuses to change or delete a contract with an open signature request, and to delete one that all have '
    'signed. Only the end of its term is stored.';
create trigger signing before update on app.contracts for each row
    when ((old.name, old.template_id, old.deal_id, old.company_id, old.effective_date, old.term_months,
           old.termination_date, old.content, old.layout, old.fields, old.revision, old.executed_file_id)
          is distinct from
          (new.name, new.template_id, new.deal_id, new.company_id, new.effective_date, new.term_months,
           new.termination_date, new.content, new.layout, new.fields, new.revision, new.executed_file_id)
          or (new.status <> old.status and new.status <> 'expired'))
    execute function app.contract_out_for_signature();
create trigger signing_deletion before delete on app.contracts
    for each row execute function app.contract_out_for_signature();

-- A signer's page sees its request, the contract and the two files. With the rights of the caller, so each function
-- finds what the policies show.
create function app.is_signing(p_organization_id bigint, p_request_id bigint, p_signer_id bigint default null)
    returns boolean language plpgsql stable as $$
begin
    perform 1 from app.signature_links as link
        where link.organization_id = p_organization_id and link.request_id = p_request_id
          and (p_signer_id is null or link.signer_id = p_signer_id);
    return found;
end
$$;
comment on function app.is_signing is 'Whether the open token is of this request, and of this signer if one is given.';

create function app.is_signing_link(p_organization_id bigint, p_link_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.signature_links as link
        where link.organization_id = p_organization_id and link.id = p_link_id;
    return found;
end
$$;
comment on function app.is_signing_link is 'Whether the open token is of this link.';

create function app.is_signing_opened(p_organization_id bigint, p_request_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.signature_requests as request
        where request.organization_id = p_organization_id and request.id = p_request_id and not request.verify_email;
    if not found then
        perform 1 from app.signature_codes as code
            where code.organization_id = p_organization_id and code.verified_at > now() - interval '2 hours';
    end if;
    return found;
end
$$;
comment on function app.is_signing_opened is
    'Whether the open token shows the request: without verify_email, or after a code in this browser.';

create function app.is_signed_contract(p_organization_id bigint, p_contract_id bigint) returns boolean
    language plpgsql stable as $$
declare
    v_request bigint;
begin
    select request.id into v_request from app.signature_requests as request
        where request.organization_id = p_organization_id and request.contract_id = p_contract_id;
    return found and app.is_signing_opened(p_organization_id, v_request);
end
$$;
comment on function app.is_signed_contract is 'Whether the open token shows this contract.';

create function app.is_signed_file(p_organization_id bigint, p_file_id bigint) returns boolean
    language plpgsql stable as $$
declare
    v_request bigint;
begin
    select request.id into v_request from app.signature_requests as request
        where request.organization_id = p_organization_id
          and p_file_id in (request.document_file_id, request.sealed_file_id);
    return found and app.is_signing_opened(p_organization_id, v_request);
end
$$;
comment on function app.is_signed_file is 'Whether the open token shows this PDF or sealed copy.';
create function app.is_signed_picture(p_organization_id bigint, p_picture_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.contracts as contract
        where contract.organization_id = p_organization_id
          and strpos(contract.content, 'data-picture="' || p_picture_id || '"') > 0;
    return found;
end
$$;
comment on function app.is_signed_picture is 'Whether the open token shows a contract with this picture.';
grant execute on function app.is_signing, app.is_signing_link, app.is_signing_opened, app.is_signed_contract,
    app.is_signed_file, app.is_signed_picture to pipeline_public;

create policy public_signing on app.signature_links for select to pipeline_public
    using (token_hash = nullif(current_setting('app.signing_token', true), ''));
-- A browser's own codes.
create policy public_signing on app.signature_codes for select to pipeline_public
    using (browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
           and app.is_signing_link(organization_id, link_id));
create policy public_signing on app.signature_requests for select to pipeline_public
    using (app.is_signing(organization_id, id));
-- A signature or a refusal may end an open request.
create policy public_ending on app.signature_requests for update to pipeline_public
    using (status = 'sent' and app.is_signing(organization_id, id))
    with check (status in ('sent', 'declined') and app.is_signing_opened(organization_id, id));
-- The other signers are shown with the contract.
create policy public_signing on app.signature_signers for select to pipeline_public
    using (app.is_signing(organization_id, request_id, id)
           or (app.is_signing(organization_id, request_id) and app.is_signing_opened(organization_id, request_id)));
-- A signer changes its own row until it is signed or declined.
create policy public_signature on app.signature_signers for update to pipeline_public
    using (status in ('sent', 'viewed') and app.is_signing(organization_id, request_id, id)
           and app.is_signing_opened(organization_id, request_id))
    with check (status in ('sent', 'viewed', 'signed', 'declined'));
create policy public_signing on app.signature_events for insert to pipeline_public
    with check (signer_id is not null and app.is_signing(organization_id, request_id, signer_id));
create policy public_signing on app.contracts for select to pipeline_public
    using (app.is_signed_contract(organization_id, id));
create policy public_signing on app.files for select to pipeline_public using (app.is_signed_file(organization_id, id));
create policy public_signing on app.pictures for select to pipeline_public
    using (app.is_signed_picture(organization_id, id));
create policy public_picture on app.files for select to pipeline_public
    using (exists (select from app.pictures as picture
                   where picture.organization_id = files.organization_id and picture.file_id = files.id));
grant select (organization_id, id, file_id) on app.pictures to pipeline_public;
grant select (organization_id, id, request_id, signer_id, token_hash) on app.signature_links to pipeline_public;
grant select (organization_id, link_id, browser_hash, verified_at) on app.signature_codes to pipeline_public;
grant select (organization_id, id, contract_id, revision, document_file_id, document_sha256, content_sha256,
        status, message, language, verify_email, organization_name, time_zone, region, expires_at, signed_at, ended_at,
        sealed_file_id, updated_at),
    update (status, signed_at, ended_at)
    on app.signature_requests to pipeline_public;
grant select (organization_id, id, request_id, name, email, party, "order", status, viewed_at, signed_at,
        decline_reason, signature_kind, signature_text, drawing, consent, consent_language, verified_at, updated_at),
    update (status, viewed_at, signed_at, decline_reason, signature_kind, signature_text, drawing, consent,
        consent_language, address, user_agent)
    on app.signature_signers to pipeline_public;
grant insert (organization_id, request_id, signer_id, event, address, user_agent)
    on app.signature_events to pipeline_public;
grant select (organization_id, id, contract_number, name, content, layout, revision)
    on app.contracts to pipeline_public;

-- Completing a request executes its contract.
grant update (executed_file_id, warnings) on app.contracts to pipeline_jobs;

create function app.signatures_expire(p_contract_id bigint) returns integer
    language plpgsql set search_path = app, pg_temp as $$
declare
    v_id bigint;
    v_number integer := 0;
begin
    -- One contract's request is waited for.
    perform 1 from app.signature_requests r where r.contract_id = p_contract_id and r.status = 'sent' for update;
    for v_id in
        select r.id from app.signature_requests r
        where app.signature_status(r.status, r.expires_at, r.signed_at) = 'expired'
          and r.status = 'sent' and r.expires_at <= now()
          and (p_contract_id is null or r.contract_id = p_contract_id)
        for update skip locked
    loop
        update app.signature_requests r set status = 'expired', ended_at = r.expires_at where r.id = v_id;
        insert into app.signature_events (request_id, event) values (v_id, 'expired');
        insert into app.outbox (event, key, payload)
            values ('signature_ended', 'signature_ended:' || v_id, jsonb_build_object('request_id', v_id));
        v_number := v_number + 1;
    end loop;
    return v_number;
end
$$;
comment on function app.signatures_expire is
    'Expires overdue requests of a contract, or of all but locked ones, with their events. Returns the number.';
grant execute on function app.signatures_expire to pipeline_member, pipeline_jobs;

set local role pipeline_lookup;

create function app.signature_by_token(p_token_hash text)
    returns table (organization_id bigint, request_id bigint, signer_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.organization_id, l.request_id, l.signer_id from app.signature_links l
    where l.token_hash = p_token_hash and app.check_here(l.organization_id) is not null
$$;
comment on function app.signature_by_token is 'The organization, request and signer of a token''s SHA-256.';
grant execute on function app.signature_by_token to pipeline_forms, pipeline_public;

create function app.signature_link_issue(p_signer_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_token text := replace(concat(gen_random_uuid(), gen_random_uuid()), '-', '');
begin
    insert into app.signature_links (organization_id, request_id, signer_id, token_hash)
    select s.organization_id, s.request_id, s.id, encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
    from app.signature_signers s
    join app.signature_requests r on r.organization_id = s.organization_id and r.id = s.request_id
    where s.organization_id = v_organization and s.id = p_signer_id and s.status <> 'waiting'
      and app.signature_status(r.status, r.expires_at, r.signed_at) in ('sent', 'completed');
    return case when found then v_token end;
end
$$;
comment on function app.signature_link_issue is
    'Creates a token for an email to a signer; null if the request is neither open nor completed.';

create function app.signature_links_end(p_signer_id bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    delete from app.signature_links l
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.signer_id = p_signer_id
      and l.request_id = (
          select s.request_id from app.signature_signers s
          where s.organization_id = l.organization_id and s.id = p_signer_id
            and s.status in ('waiting', 'sent', 'viewed'))
$$;
comment on function app.signature_links_end is 'Ends the links of a signer who has not signed.';
grant execute on function app.signature_links_end to pipeline_member;

create function app.signature_code_ask(p_browser_hash text, out code_id bigint, out result text)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_link bigint;
begin
    select l.id into v_link
    from app.signature_links l
    join app.signature_signers s
        on s.organization_id = l.organization_id and s.request_id = l.request_id and s.id = l.signer_id
    where l.organization_id = v_organization and l.token_hash = nullif(current_setting('app.signing_token', true), '')
    for update of s;
    -- The next statements see what a concurrent request stored.
    perform 1 from app.signature_codes c
        where c.organization_id = v_organization and c.link_id = v_link and c.browser_hash = p_browser_hash
          and c.verified_at is null and c.created_at > now() - interval '1 minute';
    if found then
        result := 'soon';
    elsif v_link is null
        or (select count(*) from app.signature_codes c
            where c.organization_id = v_organization and c.link_id = v_link) >= 20 then
        result := 'spent';
    else
        insert into app.signature_codes (organization_id, link_id, browser_hash)
        values (v_organization, v_link, p_browser_hash)
        returning id into code_id;
        result := 'asked';
    end if;
end
$$;
comment on function app.signature_code_ask is
    'Notes that a browser asks for a code: asked, soon (asked within a minute) or spent (twenty codes for the link).';
grant execute on function app.signature_code_ask to pipeline_public;

create function app.signature_code_issue(p_code_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    -- The first 48 bits of a version 4 UUID are random.
    v_code text := lpad(cast(cast(cast('x' || left(replace(cast(gen_random_uuid() as text), '-', ''), 12) as bit(48))
        as bigint) % 1000000 as text), 6, '0');
begin
    update app.signature_codes c
    set code_hash = encode(sha256(convert_to(p_code_id || ':' || v_code, 'UTF8')), 'hex'),
        expires_at = now() + interval '10 minutes', tries = 0
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.id = p_code_id and c.verified_at is null;
    return case when found then v_code end;
end
$$;
comment on function app.signature_code_issue is 'Creates the six digits for the email of a code; null after its use.';
grant execute on function app.signature_link_issue, app.signature_code_issue to pipeline_jobs;

create function app.signature_code_try(p_code text, p_browser_hash text) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
begin
    select c.organization_id, c.id, c.code_hash, c.expires_at, c.tries, s.id as signer_id into v
    from app.signature_links l
    join app.signature_signers s
        on s.organization_id = l.organization_id and s.request_id = l.request_id and s.id = l.signer_id
    join app.signature_codes c on c.organization_id = l.organization_id and c.link_id = l.id
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.token_hash = nullif(current_setting('app.signing_token', true), '')
      and c.browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
      and c.code_hash is not null and c.verified_at is null
    order by c.id desc
    limit 1
    for update of c;
    if not found or v.expires_at <= now() or v.tries >= 5 then
        return 'spent';
    end if;
    if v.code_hash = encode(sha256(convert_to(v.id || ':' || p_code, 'UTF8')), 'hex') then
        update app.signature_codes c set verified_at = now(), code_hash = null, browser_hash = p_browser_hash
            where c.organization_id = v.organization_id and c.id = v.id;
        update app.signature_signers s set verified_at = now()
            where s.organization_id = v.organization_id and s.id = v.signer_id;
        return 'right';
    end if;
    update app.signature_codes c set tries = c.tries + 1 where c.organization_id = v.organization_id and c.id = v.id;
    return 'wrong';
end
$$;
comment on function app.signature_code_try is
    'Compares an entered code with the newest of this browser: right, wrong, or spent after its expiry, its use or five '
    'wrong codes. The right one opens the link in the browser with the new secret.';
grant execute on function app.signature_code_try to pipeline_public;

create function app.signature_reading_copy() returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select r.reading_copy
    from signature_links l
    join signature_requests r on r.organization_id = l.organization_id and r.id = l.request_id
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.token_hash = nullif(current_setting('app.signing_token', true), '')
      and (not r.verify_email or exists (
          select from signature_codes c
          where c.organization_id = l.organization_id and c.link_id = l.id
            and c.browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
            and c.verified_at > now() - interval '2 hours'))
$$;
comment on function app.signature_reading_copy is
    'What the open token''s signer reads of a Word file, if app.is_signing_opened would show the request.';
grant execute on function app.signature_reading_copy to pipeline_public;

create function app.signer_told(p_id bigint, p_status text, p_email_status text) returns jsonb
    language sql immutable parallel safe
    return jsonb_build_object('id', p_id, 'status', p_status, 'email_status', p_email_status);
comment on function app.signer_told is 'What the record of change always tells of a signer.';

create function app.signer_corrected(
    name text, title text, email text, other_name text, other_title text, other_email text
) returns jsonb
    language sql immutable parallel safe
    return case when name <> other_name or email <> other_email or title is distinct from other_title
        then jsonb_build_object('name', name, 'title', title, 'email', email) else '{}' end;
comment on function app.signer_corrected is 'Name, title and address of a signer, if they differ from the other ones.';

create function app.signers_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
    v_contract bigint;
    v_was jsonb;
    v_now jsonb;
begin
    -- {id: former values} of each request, with what was corrected.
    for v in
        select f.organization_id, f.request_id,
            jsonb_object_agg(f.id, app.signer_told(f.id, f.status, f.email_status)
                || app.signer_corrected(f.name, f.title, f.email, c.name, c.title, c.email)) as former,
            jsonb_object_agg(
                f.id, app.signer_corrected(c.name, c.title, c.email, f.name, f.title, f.email)) as corrected
        from former f join changed c on c.organization_id = f.organization_id and c.id = f.id
        group by f.organization_id, f.request_id
        having bool_or(f.status <> c.status or f.email_status is distinct from c.email_status
            or (f.name, f.email) <> (c.name, c.email) or f.title is distinct from c.title)
    loop
        select jsonb_agg(
                   coalesce(v.former -> s.id::text, app.signer_told(s.id, s.status, s.email_status)) order by s.id),
               jsonb_agg(app.signer_told(s.id, s.status, s.email_status) || coalesce(v.corrected -> s.id::text, '{}')
                   order by s.id)
            into v_was, v_now from app.signature_signers s
            where s.organization_id = v.organization_id and s.request_id = v.request_id;
        select r.contract_id into strict v_contract from app.signature_requests r
            where r.organization_id = v.organization_id and r.id = v.request_id;
        perform app.change_folded(v.organization_id, 'signature-requests', v.request_id, 'contracts', v_contract,
            'signers', v_was, v_now);
    end loop;
    return null;
end
$$;
comment on function app.signers_recorded is
    'Trigger: records statuses and corrections of signers as a change of their request.';
grant execute on function app.signers_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_signers after update on app.signature_signers
    referencing old table as former new table as changed
    for each statement execute function app.signers_recorded();
