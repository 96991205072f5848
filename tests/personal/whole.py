"""Everything that a database holds, searched for words: every column of every table, in files too."""

import io
import zipfile

import pypdf

TABLES = """select c.oid::regclass::text,
        array_agg(a.attname::text) filter (where a.atttypid = 'bytea'::regtype)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'm') and c.relpersistence = 'p' and c.relnamespace <> 'pg_toast'::regnamespace
        and not c.relisshared
    group by c.oid"""


def places(owner, words):
    """The (table, word) pairs of the whole database in which a word stands, whatever its case."""
    # What the planner has learnt is learnt anew.
    owner.execute("analyze")
    found = set()
    for table, binary in owner.execute(TABLES).fetchall():
        text = "lower(t::text)"
        for column in binary or ():
            text += f" || lower(encode({column}, 'escape'))"
        for word in words:
            # Beyond ASCII `escape` writes octals.
            forms = [word.lower(), octal(word.lower())]
            statement = f"select count(*) from {table} t where position(%s in {text}) + position(%s in {text}) > 0"
            if owner.execute(statement, forms).fetchone()[0]:
                found.add((table, word))
    return found | {("a file", word) for text in texts(owner) for word in words if word.lower() in text}


def octal(text):
    """A text as `encode(…, 'escape')` writes its bytes."""
    return "".join(chr(byte) if byte < 128 else f"\\{byte:o}" for byte in text.encode())


def texts(owner):
    """What the stored PDF and Word files say, in lower case."""
    statement = """select content_type, (select string_agg(content, ''::bytea order by position) from app.file_chunks
        where organization_id = f.organization_id and file_id = f.id) from app.files f"""
    for kind, content in owner.execute(statement).fetchall():
        if kind == "application/pdf" and content[-6:].strip() == b"%%EOF":
            yield " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages).lower()
        elif kind.endswith("wordprocessingml.document"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist()).lower()
