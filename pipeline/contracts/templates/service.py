"""Contract templates; None or 0 means an unknown template."""

from typing import IO

from pipeline import documents, files
from pipeline.contracts import merge, wording
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.contracts.templates import word_files
from pipeline.database import Row, dumps, queries
from pipeline.files.images import reencoded
from pipeline.http.security import Identity
from pipeline.validation import Values


def create_template(caller: Identity, body: Values) -> int:
    """Creates a template; returns its id, or raises 422 with all violations."""
    fields = sanitized(body)
    made: Row = {"warnings": written_warnings(body["content"]), "clauses": wording.held_clauses(fields["content"])}
    return queries.contract_template_insert(missing_glyphs=_missing_glyphs(fields), **made, **fields)


def update_template(caller: Identity, id: int, changes: Values) -> None:
    """Changes a template; existing contracts stay the same."""
    template = queries.contract_template_lock(id=id)
    if template is None:
        return
    changed = sanitized({**template, **changes})
    # The same content may come with other parts that are removed.
    source = changes.get("content", template["content"])
    if changed != template or source != template["content"]:
        warnings = None if source == template["content"] else written_warnings(str(source))
        glyphs = _missing_glyphs(changed, template_id=id)
        keys = wording.held_clauses(changed["content"], word_files.content_of(id))
        made: Row = {"missing_glyphs": glyphs, "warnings": warnings, "clauses": keys}
        queries.contract_template_update(id=id, **made, **changed)


def sanitized(fields: Row) -> Row:
    """The fields with sanitized content, which the schema has checked."""
    return {**fields, "content": merge.sanitize(fields["content"])}


def _missing_glyphs(fields: Row, **about: object) -> str:
    margins = {name: fields[name] for name in documents.MARGINS}
    return dumps(missing_glyphs(fields["content"], margins, **about)).decode()


def written_warnings(source: str) -> str:
    return dumps(merge.warnings(source)).decode()


def set_logo(caller: Identity, id: int, file: IO[bytes]) -> bytes | None:
    """Stores a PNG or JPEG logo; returns the template's JSON or None.

    Raises 422 `unsupported_file`.
    """
    if queries.contract_template_lock(id=id) is None:
        return None
    image = reencoded(file)
    file_id = files.store(image.file, f"logo.{image.extension}", image.content_type, caller.user_id)
    queries.contract_template_set_logo(id=id, file_id=file_id)
    return queries.contract_template_get.json(id=id)


def remove_logo(id: int) -> int:
    """Removes a logo; returns the count."""
    return queries.contract_template_set_logo(id=id, file_id=None)
