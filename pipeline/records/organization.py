"""The organization itself: its settings, look and legal details."""

from pipeline import files
from pipeline.database import dumps, queries
from pipeline.images import reencoded


def get_organization():
    """The current organization as JSON bytes."""
    return queries.organization_get.json()


def update_organization(body):
    """Replace the organization's fields: JSON bytes."""
    queries.organization_update(**{**body, "branding": dumps(body["branding"]).decode()})
    return get_organization()


def set_logo(caller, file):
    """Show an uploaded PNG or JPEG on the forms: the organization as JSON bytes; 422 `unsupported_file`."""
    image = reencoded(file)
    file_id = files.store(image.file, f"logo.{image.extension}", image.content_type, caller.user_id)
    _replace_logo(file_id)
    return get_organization()


def remove_logo():
    """Take the organization's logo away: the number of logos removed."""
    return _replace_logo(None)


def _replace_logo(file_id):
    """Show another logo, or none, and delete the former one, which nothing else refers to: the number of changes."""
    former = queries.file_organization_logo()
    changed = queries.organization_set_logo(file_id=file_id)
    queries.file_delete(ids=[former])
    return changed
