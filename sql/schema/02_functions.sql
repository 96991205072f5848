-- What the tables, views and queries of all subjects use: how values are written, and how text is compared.
--
-- Under row-level security an index serves only leakproof operators: = and < on text are, lower() and LIKE are not.
-- So what is sorted or compared stands in stored generated columns with collation "C" (`name_key`, `email_key`, …),
-- made by these functions; the order is the same on every server.

set local role pipeline_owner;

create function app.iso(moment timestamptz) returns text
    language sql stable parallel safe
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
comment on function app.iso is 'The one form of a timestamp in JSON, UTC with six digits.';

create function app.money(minor bigint) returns numeric
    language sql immutable parallel safe
    return trim_scale(minor * 0.01);
comment on function app.money is 'Minor units as the decimal number of JSON, exact (multiplied, never divided).';

-- These are called for each row that is written. In PL/pgSQL they cost a fifth of what they would as SQL: a function in
-- SQL that calls what is only stable (unaccent) is never put in the place of its call, and runs as a query each time.
create function app.plain(value text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- ASCII, as most texts are, has no accents, and its lower case is the same in every collation.
    if octet_length(value) = length(value) then
        return lower(value collate "C");
    end if;
    return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));
end
$$;
comment on function app.plain is
    'Text without case and accents. Immutable as long as the dictionary file unaccent.rules stays as it is.';

-- As SQL that calls nothing but what is immutable it is put in the place of its call, where ASCII calls no function of
-- ours. It is not strict: CASE is not, and so it would stay a call.
create function app.sort_key(value text) returns text
    language sql immutable parallel safe
    return left(
        case when octet_length(value) = length(value) then lower(value collate "C") else app.plain(value) end, 200);
comment on function app.sort_key is
    'What text is sorted by, no longer than an index entry may be. Kept in columns with collation "C", so that the '
    'order is the same on every server.';

create function app.index_text(value text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    return case when octet_length(value) > 2500 then left(value, 625) else value end;
end
$$;
comment on function app.index_text is
    'Text cut to what an index entry may hold; only texts at their full length, of signs of four bytes, are longer.';

create function app.like_pattern(word text) returns text
    language sql immutable parallel safe
    return '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
comment on function app.like_pattern is 'The LIKE pattern of whatever contains the word, % and _ taken literally.';

grant execute on function app.iso, app.money, app.plain, app.sort_key, app.index_text
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_member;

create function app.touch() returns trigger language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;
comment on function app.touch is 'Trigger: keeps updated_at.';

create procedure app.view_describe(record regclass, variadic sources regclass[])
    language plpgsql as $$
declare
    described record;
begin
    for described in
        select distinct on (shown.attname) shown.attname, col_description(source.attrelid, source.attnum) as words
        from unnest(sources) with ordinality as named (relation, place)
        join pg_attribute as source on source.attrelid = named.relation and source.attnum > 0
        join pg_attribute as shown on shown.attrelid = record and shown.attname = source.attname
        order by shown.attname, named.place
    loop
        execute format('comment on column %s.%I is %L', record, described.attname, described.words);
    end loop;
    for described in
        select attname, words
        from (values ('created_by_kind', 'Who made it: user, key or system.'),
                     ('created_by_name', 'The name of the user or API key that made it.')) as meant (name, words)
        join pg_attribute on attrelid = record and attname = name
    loop
        execute format('comment on column %s.%I is %L', record, described.attname, described.words);
    end loop;
end
$$;
comment on procedure app.view_describe is
    'Give a view''s columns the comments of the columns of the same name in its tables; the first table that has one '
    'counts. What a view shows otherwise gets a comment of its own afterwards.';

create procedure app.isolate(p_table regclass) language plpgsql as $procedure$
declare
    c_ours constant text := $$organization_id = nullif(current_setting('app.organization_id', true), '')::bigint$$;
    usual record;
begin
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('create policy organization on %s as restrictive for all to public using (%s) with check (%s)',
                   p_table, c_ours, c_ours);
    for usual in
        select attname, words
        from (values ('organization_id', 'The organization that the row belongs to.'),
                     ('id', 'Identifier, given by the database.'),
                     ('created_at', 'When it was made.'), ('updated_at', 'When it was last changed.'),
                     ('created_by_key', 'The API key that made it; filled in by the database.'),
                     ('name_key', 'What the name is sorted by.'),
                     ('email', 'Email address.'), ('phone', 'Telephone number.'),
                     ('company_id', 'The company.'), ('contact_id', 'The contact.'), ('contract_id', 'The contract.'),
                     ('deal_id', 'The deal.'), ('file_id', 'The file.'), ('invite_id', 'The invite.'),
                     ('lead_id', 'The lead.'), ('template_id', 'The template.'), ('user_id', 'The person.'),
                     ('webhook_id', 'The webhook.')) as meant (name, words)
        join pg_attribute on attrelid = p_table and attname = name
        where col_description(attrelid, attnum) is null
    loop
        execute format('comment on column %s.%I is %L', p_table, usual.attname, usual.words);
    end loop;
end
$procedure$;
comment on procedure app.isolate is
    'Show the rows of a table to their own organization alone, whoever asks, its owner too (which roles may see them '
    'there say the table''s other policies), and comment those of its columns that mean the same in every table.';

create procedure app.share(p_table regclass) language plpgsql as $procedure$
begin
    call app.isolate(p_table);
    execute format('create policy member on %s to pipeline_member, pipeline_jobs using (true) with check (true)',
                   p_table);
    execute format('grant select on %s to pipeline_member, pipeline_jobs', p_table);
end
$procedure$;
comment on procedure app.share is
    'Isolate a table, and show its rows to all of its organization''s people and programs, and to the worker.';
