"""Uploaded files: an answer lists {id, filename, size}, and changes with its files under a row lock of all answers."""

from collections.abc import Callable
from typing import Any

from pipeline import files
from pipeline.api.uploads import Upload
from pipeline.database import Row, not_none, queries
from pipeline.files.content import MORE_MEDIA_TYPES, check_content
from pipeline.interviews.public.public_service import answerable, locked, merging, version_of
from pipeline.interviews.templates.conditions import Answers
from pipeline.interviews.templates.questions import MAX_FILE_MIB, extensions
from pipeline.validation import Values, invalid_field
from pipeline.validation.errors import Problem


def add_file(token: str, key: str, upload: Upload, hold: Callable[[int], None]) -> bytes:
    """Stores a file once by name and content; returns the saved answers as JSON.

    `hold(organization_id)` takes the upload slot. Raises 413, 422, 429 without a slot, 507 without storage.
    """
    invite = answerable(token)
    hold(invite["organization_id"])
    question = _question(invite, key)
    return _merge(invite, key, stored(question, upload, lambda: locked(invite)))


def stored(question: Values, upload: Upload, lock: Callable[[], Answers]) -> list[dict[str, Any]]:
    """Stores a file once by name and content; returns the question's answer. `lock()` locks and returns all answers."""
    most = question.get("max_size") or MAX_FILE_MIB
    if upload.size > most * files.MIB:
        raise Problem("body_too_large", f"The file may have at most {most} MiB.")
    accepted = {extension: MORE_MEDIA_TYPES[extension] for extension in extensions(question)}
    filename, kind = check_content(upload.file, upload.filename, accepted)
    kept: Any = lock().get(question["key"], [])
    namesakes = [file["id"] for file in kept if file["filename"] == filename]
    if queries.public_file_same(ids=namesakes, sha256=upload.sha256) is None:
        if len(kept) >= (question.get("max_files") or 1):
            raise invalid_field("question", "too_many_files", location="query", most=question.get("max_files") or 1)
        id = files.store(upload.file, filename, kind, received=upload.sha256)
        kept = [*kept, {"id": id, "filename": filename, "size": upload.size}]
    return kept


def remove_file(token: str, id: int) -> bytes | None:
    """Returns the saved answers as JSON, or None without the file."""
    invite = answerable(token)
    for key, left in without(id, locked(invite)).items():
        merged = _merge(invite, key, left)
        queries.public_files_prune(invite_id=invite["id"])
        return merged
    return None


def without(id: int, answers: Answers) -> dict[str, list[dict[str, Any]]]:
    """Returns the answer that lists the file, without it; empty if none does."""
    lists: Any = {key: answer for key, answer in answers.items() if _is_files(answer)}
    left = {key: [file for file in answer if file["id"] != id] for key, answer in lists.items()}
    return {key: answer for key, answer in left.items() if answer != lists[key]}


def _is_files(answer: object) -> bool:
    return isinstance(answer, list) and all(isinstance(file, dict) for file in answer)


def _question(invite: Row, key: str) -> dict[str, Any]:
    questions = version_of(invite["template_version_id"])["questions"]
    question = next((one for one in questions if one["key"] == key and one["type"] == "file"), None)
    if question is None:
        raise invalid_field("question", "unknown_question", "Must be the key of a file question.", "query")
    return question


def _merge(invite: Row, key: str, kept: list[dict[str, Any]]) -> bytes:
    version = version_of(invite["template_version_id"])
    changes = merging(version, invite, {key: kept} if kept else {}, [] if kept else [key], {})
    return not_none(queries.public_answers_merge.json(invite_id=invite["id"], **changes))
