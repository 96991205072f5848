"""A search for words in the whole database: every column of every table, with bytes and content of files."""

import io
import zipfile

import pypdf

TABLES = """select c.oid::regclass::text,
        coalesce(array_agg(quote_ident(a.attname)) filter (where a.atttypid = 'bytea'::regtype), '{}'),
        array_agg(quote_ident(a.attname)) filter (where a.atttypid <> 'bytea'::regtype)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'm') and c.relpersistence = 'p' and not c.relisshared
        and c.relnamespace <> 'pg_toast'::regnamespace and c.relname <> 'pg_largeobject'
    group by c.oid"""
FILES = """select f.content_type, (select string_agg(c.content, ''::bytea order by c.position) from app.file_chunks c
        where c.organization_id = f.organization_id and c.file_id = f.id)
    from app.files f where f.organization_id = any(%s)"""


def places(owner, words, *organizations):
    """The (table, word) pairs of the whole database in which a word stands, whatever its case.

    The files of these organizations are unpacked.
    """
    # What the planner has learnt is learnt anew.
    owner.execute("analyze")
    found = set()
    for table, binary, others in owner.execute(TABLES).fetchall():
        bytes_ = " || ".join(f"coalesce({column}, '')" for column in binary) or "''::bytea"
        statement = f"""with read as materialized (
                select lower(concat_ws(' ', {", ".join(others)})) as words, {bytes_} as bytes from {table})
            select word from unnest(%s::text[]) as word where exists (select from read
                where position(lower(word) in read.words) > 0 or position(convert_to(word, 'UTF8') in read.bytes) > 0
                or position(convert_to(lower(word), 'UTF8') in read.bytes) > 0)"""
        found.update((table, word) for (word,) in owner.execute(statement, [words]).fetchall())
    said = list(texts(owner, organizations))
    return found | {("a file", word) for word in words if any(word.lower() in text for text in said)}


def texts(owner, organizations):
    """What the stored PDF, Word and text files say, in lower case."""
    for kind, content in owner.execute(FILES, [[organization.id for organization in organizations]]).fetchall():
        if kind == "application/pdf":
            yield " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages).lower()
        elif kind == "text/plain":
            yield content.decode().lower()
        else:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist()).lower()
