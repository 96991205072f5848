"""Word files of contract templates; None or 0 means an unknown template, or one without a file."""

import io
import json
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import IO, Any

from pipeline import documents, files
from pipeline.api.uploads import Upload
from pipeline.contracts import merge, own_tags, wording
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.contracts.merge.catalogue import Tag
from pipeline.database import Row, dumps, queries
from pipeline.documents.authored.reading import STRIP
from pipeline.documents.processes import converter
from pipeline.files.content import DOCX, TAKE_OUT, check_content
from pipeline.files.images import unsupported
from pipeline.files.inspection import inspected_bytes
from pipeline.http.security import Identity
from pipeline.validation import Invalid, Values, Violation, invalid_field
from pipeline.validation.errors import Problem

READING, FOLDER = "authored.reading", Path(documents.__file__).parent
ACCEPTED = {"docx": DOCX}
DAMAGED = "The file is damaged, or takes too long to read."
# The spelling of messages about HTML, in a Word file.
SPELLED = (
    (re.compile(r'(?:an element with )?data-(each|if|clause)="([^"]*)"'), r'"{{#\1 \2}}"'),
    (re.compile(r'"\w+" can stand in headers and footers only\.'), "Word numbers pages: insert its fields for pages."),
    (re.compile(r" Text that is meant as it stands is written <span[^.]*\."), ""),
    (re.compile(r"\bdata-else\b"), "{{else}}"),
)
MAX_SCHEDULES = 20
CONTENTS = "Contract.table_of_contents"


def set_file(caller: Identity, id: int, upload: Upload, strip: bool) -> bytes | None:
    """Makes a file the source of contracts; returns the template's JSON or None.

    Raises 422 `converter_missing`, `unsupported_file`, or with the violations of its text.
    """
    file = _read(upload, strip)
    template = queries.contract_template_word(id=id)
    if template is None:
        return None
    _store(id, template, [_stored(caller, file), *_files(template)[1:]])
    return queries.contract_template_get.json(id=id)


def file_of(id: int) -> int | None:
    """The id of the file, or None."""
    return queries.contract_template_word_file(id=id)


def content_of(id: int) -> str:
    """The text of a template's Word files as HTML with merge tags, or an empty one."""
    template = queries.contract_template_word(id=id)
    return template["word"]["content"] if template and template["word"] else ""


def remove(id: int) -> int:
    """Makes the content the source of contracts again; returns the count."""
    template = queries.contract_template_word(id=id)
    if template is None or template["word"] is None:
        return 0
    clauses = wording.held_clauses(template["content"])
    return queries.contract_template_set_word(id=id, word=None, clauses=clauses)


def schedules(id: int) -> list[Row] | None:
    """The further files of a template in order, or None."""
    template = queries.contract_template_word(id=id)
    return None if template is None else _schedules(_files(template))


def add_schedule(caller: Identity, id: int, upload: Upload, strip: bool) -> list[Row] | None:
    """Joins a further file to the contracts; returns all of them, or None. Raises 422 as `set_file`."""
    file = _read(upload, strip)
    template = queries.contract_template_word(id=id)
    if template is None:
        return None
    word_files = _files(template)
    if not word_files:
        raise invalid_field("file", "not_offered", "Schedules are joined to a Word file: upload that first.")
    if len(word_files) > MAX_SCHEDULES:
        raise invalid_field("file", "too_long", f"A template has at most {MAX_SCHEDULES} schedules.")
    word_files.append(_stored(caller, file))
    _store(id, template, word_files)
    return _schedules(word_files)


def order_schedules(id: int, body: Values) -> list[Row] | None:
    """Orders the further files by `ids`; returns them, or None."""
    template = queries.contract_template_word(id=id)
    if template is None:
        return None
    word_files = _files(template)
    by_id = {file["id"]: file for file in word_files[1:]}
    if sorted(body["ids"]) != sorted(by_id):
        raise invalid_field("ids", "unknown_reference", "Must be the ids of all schedules of the template.")
    if by_id:
        word_files[1:] = [by_id[one] for one in body["ids"]]
        _store(id, template, word_files)
    return _schedules(word_files)


def remove_schedule(id: int, schedule_id: int) -> int:
    """Removes a further file; returns the count."""
    template = queries.contract_template_word(id=id)
    word_files = _files(template) if template else []
    left = word_files[:1] + [file for file in word_files[1:] if file["id"] != schedule_id]
    if template is None or len(left) == len(word_files):
        return 0
    _store(id, template, left)
    return 1


def _files(template: Row) -> list[Row]:
    """The Word files of a template, each with id, content and warnings."""
    return [*template["word"]["files"]] if template["word"] else []


def _schedules(word_files: list[Row]) -> list[Row]:
    return [*queries.contract_template_schedules(ids=[file["id"] for file in word_files[1:]])]


def _read(upload: Upload, strip: bool) -> dict[str, Any]:
    """{name, file, content, warnings} of an upload whose text a contract can be made of."""
    if converter.is_missing():
        raise Problem("converter_missing")
    name, _kind = check_content(upload.file, upload.filename, ACCEPTED, TAKE_OUT)
    found = inspected_bytes(READING, STRIP if strip else "", upload.file, FOLDER)
    if not found:
        raise unsupported(DAMAGED)
    line, _end, file = found.partition(b"\n")
    told = json.loads(line)
    if told["refused"]:
        raise unsupported(told["refused"])
    content, violations = checked(told["content"], told["wrong"], own_tags.tags(), queries.clause_keys())
    if violations:
        raise Invalid(violations)
    return {"name": name, "file": file, "content": content, "warnings": told["warnings"]}


def checked(
    source: str, wrong: Iterable[tuple[str, str, str]], own: Iterable[Tag], clauses: Collection[str]
) -> tuple[str, list[Violation]]:
    """(the stored form of a file's text, its violations); `wrong` are (code, text around it, message)."""
    violations = [Violation("file", code, f'In "{where}": {message}') for code, where, message in wrong]
    try:
        content = merge.sanitize(source)
    except Invalid as error:
        return "", [one._replace(name="file") for one in error.violations]
    found = merge.check(content, {}, own=own, clauses=clauses, quoting=True)
    violations += [one._replace(name="file", message=_spelled(one.message)) for one in found]
    if f"{{{{{CONTENTS}}}}}" in content:
        message = f'"{CONTENTS}" cannot stand in a Word file: insert a table of contents with Word.'
        violations.append(Violation("file", "misplaced_tag", message))
    if not violations and not merge.prints(content):
        violations.append(Violation("file", "required", "The file has no text that a contract can hold."))
    return content, violations


def _spelled(message: str) -> str:
    for pattern, replacement in SPELLED:
        message = pattern.sub(replacement, message)
    return message


def _stored(caller: Identity, file: dict[str, Any]) -> Row:
    content: IO[bytes] = io.BytesIO(file["file"])
    file_id = files.store(content, file["name"], DOCX, caller.user_id)
    return {"id": file_id, "content": file["content"], "warnings": file["warnings"]}


def _store(id: int, template: Row, word_files: list[Row]) -> None:
    """Stores the files of a locked template as its next version; the first one has the text, others are schedules."""
    first, *schedules = (file["content"] for file in word_files)
    content = "".join([first, *(f'<div class="schedule">{schedule}</div>' for schedule in schedules)])
    word = {
        "files": word_files,
        "content": content,
        "warnings": [warning for file in word_files for warning in file["warnings"]],
        "missing_glyphs": missing_glyphs(content, dict.fromkeys(documents.MARGINS), template_id=id),
    }
    clauses = wording.held_clauses(template["content"], content)
    queries.contract_template_set_word(id=id, word=dumps(word).decode(), clauses=clauses)
